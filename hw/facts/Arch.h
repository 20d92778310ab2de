//===- Arch.h - architecture descriptions ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Facts about each chip that the compiler and the emulated device need. Sizes are in
// bytes. Sources: tt-metal's dev_mem_map.h, noc_parameters.h,
// circular_buffer_constants.h and soc descriptors. This header includes no other header
// of the tree.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_ARCH_H
#define TTJIT_HW_FACTS_ARCH_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttjit::hw {

struct ArchDesc {
  std::string_view name;
  int gridX, gridY;                   ///< columns and rows of the compute grid
  int virtualOriginX, virtualOriginY; ///< NoC coordinate of logical core (0, 0)
  uint32_t l1Bytes;                   ///< bytes of L1 of each core
  uint32_t l1UnreservedBase;          ///< first L1 address that buffers and tensors may use
  int dramBanks;
  uint64_t dramBankBytes;
  uint32_t dramAlignment; ///< alignment of pages in DRAM banks and of DRAM reads
  uint32_t l1Alignment;   ///< alignment of pages in L1 and of writes to L1 and DRAM
  uint32_t nocMaxBurstBytes;
  int maxCircularBuffers;
  int numSemaphores;
  int numTransferIds;
  int dstTiles16; ///< DST registers for 16-bit data without double buffering

  /// Bytes of L1 that circular buffers and L1 tensors share.
  constexpr uint32_t l1Available() const { return l1Bytes - l1UnreservedBase; }

  /// Returns the L1 address of semaphore `id`. The semaphores end at the unreserved base, where
  /// buffers and tensors may begin.
  constexpr uint32_t semaphoreAddress(int id) const {
    return l1UnreservedBase - static_cast<uint32_t>(numSemaphores - id) * l1Alignment;
  }

  /// Returns the number of DST registers in one section. Double buffering halves it, and so do
  /// 32-bit data.
  constexpr int dstCapacity(bool fp32DestAccEn, bool dstFullSyncEn) const {
    int tiles = dstFullSyncEn ? dstTiles16 : dstTiles16 / 2;
    return fp32DestAccEn ? tiles / 2 : tiles;
  }
};

inline constexpr ArchDesc kArchs[] = {
    {"wormhole_b0", 8, 8, 18, 18, 1464 * 1024, 103424, 12, uint64_t(1) << 30, 32, 16, 8192, 32, 16,
     16, 16},
    {"blackhole", 13, 10, 1, 2, 1536 * 1024, 111360, 8, 4278190080u, 64, 16, 16384, 32, 16, 16, 16},
};

/// The chip that is used if none is named.
inline constexpr std::string_view kDefaultArch = kArchs[0].name;

/// Finds a chip by its name, optionally with another compute grid: "wormhole_b0",
/// "blackhole", "wormhole_b0@32x32". Returns nothing if there is no such chip, or if
/// the grid is not two positive numbers of at most 4096.
constexpr std::optional<ArchDesc> lookupArch(std::string_view name) {
  size_t at = name.find('@');
  for (const ArchDesc &arch : kArchs) {
    if (arch.name != name.substr(0, at))
      continue;
    ArchDesc result = arch;
    if (at == std::string_view::npos)
      return result;
    std::string_view grid = name.substr(at + 1);
    size_t x = grid.find('x');
    if (x == std::string_view::npos)
      return std::nullopt;
    auto number = [](std::string_view text) {
      int value = 0;
      for (char c : text)
        value = c < '0' || c > '9' || value > 4096 ? 1 << 20 : value * 10 + (c - '0');
      return text.empty() || value > 4096 ? 0 : value;
    };
    result.gridX = number(grid.substr(0, x));
    result.gridY = number(grid.substr(x + 1));
    if (result.gridX < 1 || result.gridY < 1)
      return std::nullopt;
    return result;
  }
  return std::nullopt;
}

constexpr ArchDesc defaultArch() { return *lookupArch(kDefaultArch); }

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_ARCH_H
