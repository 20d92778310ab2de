//===- Arch.h - architecture descriptions ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the compiler and the emulated device must know of each chip, as data.
// Sizes in bytes. Sources: tt-metal's dev_mem_map.h, noc_parameters.h,
// circular_buffer_constants.h and soc descriptors. Header-only leaf.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_ARCH_H
#define TTJIT_HW_FACTS_ARCH_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttjit::hw {

struct ArchDesc {
  std::string_view name;
  int gridX, gridY;                   ///< compute grid: columns, rows
  int virtualOriginX, virtualOriginY; ///< NoC coordinate of logical core (0, 0)
  uint32_t l1Bytes;                   ///< per core
  uint32_t l1UnreservedBase;          ///< first address buffers and tensors may use
  int dramBanks;
  uint64_t dramBankBytes;
  uint32_t dramAlignment; ///< of a page in a DRAM bank, and of DRAM reads
  uint32_t l1Alignment;   ///< of a page in L1, and of L1 and DRAM writes
  uint32_t nocMaxBurstBytes;
  int maxCircularBuffers;
  int numSemaphores;
  int numTransferIds;
  int dstTiles16; ///< DST capacity in 32x32 tiles: 16-bit data, full sync

  /// Bytes of L1 that circular buffers and L1 tensors share.
  constexpr uint32_t l1Available() const { return l1Bytes - l1UnreservedBase; }

  /// L1 address of semaphore `id`: they end where buffers and tensors may begin.
  constexpr uint32_t semaphoreAddress(int id) const {
    return l1UnreservedBase - static_cast<uint32_t>(numSemaphores - id) * l1Alignment;
  }

  /// DST registers of one section: halved for double buffering, and again for
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

/// The chip that is meant where none is named.
inline constexpr std::string_view kDefaultArch = kArchs[0].name;

/// The chip called `name`, optionally with another compute grid:
/// "wormhole_b0", "blackhole", "wormhole_b0@32x32". Nothing if there is no such
/// chip or the grid is not two positive numbers of at most 4096.
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
