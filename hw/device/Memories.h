//===- Memories.h - L1 of the cores, DRAM banks, tensors in them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The memory of the device, which outlives a run. A tensor begins at the same base address
// in each of its banks; TensorAccess computes the place of each page.
// L1 bank b is core (b % gridX, b / gridX) of the chip's compute grid. Tensors in L1
// grow down from the top, buffers up from the unreserved base.
//
// A tensor in DRAM uses the addresses [base, base + n) of each of N banks. Kernels may only use
// bytes of a bank that belong to tensors, so the host keeps no banks: it keeps the N * n bytes of
// the tensor from N * base on in one mapping, without gaps in page order. If the process's limit of
// address space is near the size of the banks, each tensor has a mapping of its own.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_MEMORIES_H
#define TTJIT_HW_DEVICE_MEMORIES_H

#include "hw/abi/KernelThread.h"
#include "hw/device/Events.h"
#include "hw/device/FreeList.h"
#include "hw/device/Mapping.h"
#include "hw/device/TensorAllocation.h"
#include "hw/device/TensorElements.h"
#include "hw/facts/Arch.h"
#include "hw/tile/HostTiles.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ttjit::hw {

struct PlacedTensor {
  std::string name;
  Sharding sharding; ///< no banks: the tensor is interleaved
  TensorAccess access;
  std::optional<HostTiles> tiles; ///< if the tensor shares an array of the host
  std::vector<bool> unwritten;    ///< by page: nobody has written it; empty: all are written
  Mapping piece;                  ///< its memory in DRAM if the banks have no mapping; else empty
  std::optional<TensorElements> elements;
  /// By device: whether only the process (rank) that runs the device has the contents
  /// (hw/device/RankedRuns.h). Only the tensor of device 0 has this. Empty: all have all contents.
  std::vector<bool> elsewhere;

  void rename(std::string newName) {
    name = std::move(newName);
    access.name = name.c_str();
  }
};

/// Tensors may be allocated and freed while a program runs that uses other tensors. On several
/// devices, allocate() and free() of device 0 also call those of the other devices, so that a
/// tensor has the same base address on all of them.
class Memories {
public:
  /// Makes `numDevices` devices of this chip. This object is device 0 and owns the other ones.
  explicit Memories(const ArchDesc &arch, int numDevices = 1);

  int numDevices() const { return 1 + static_cast<int>(others.size()); }
  Memories &device(int number) { return number ? *others[static_cast<size_t>(number) - 1] : *this; }

  const ArchDesc &arch() const { return chip; }

  //===--- Tensors ------------------------------------------------------------===//

  /// Allocates a tensor. Returns nothing if the banks are full, or if the host cannot map them; in
  /// the second case `whyNoHost` gets the reason.
  std::optional<TensorAllocation> allocate(BufferType type, uint32_t pageBytes, uint32_t numPages,
                                           const Sharding &sharding, const std::string &name,
                                           std::string &whyNoHost);
  PlacedTensor *find(BufferType type, uint32_t base);
  /// Returns the tensor that has this address in its banks; null if none has.
  PlacedTensor *findAt(BufferType type, uint32_t address);
  void free(const TensorAllocation &allocation);
  /// Returns all tensors except those in DRAM whose base is in `constants`.
  std::vector<PlacedTensor *> writable(const std::vector<uint32_t> &constants);
  /// Gives the memory of a tensor in DRAM back to the host. Its contents are lost.
  void release(PlacedTensor &tensor);
  void setUnwritten(PlacedTensor &tensor, std::vector<bool> pages);
  /// Returns the number of tensors with unwritten pages.
  size_t numUnwritten() const { return unwrittenTensors; }
  /// Returns the place of a page on the device. The page must exist.
  MemoryPlace place(const TensorAccess &access, uint32_t page) const;

  //===--- L1 -----------------------------------------------------------------===//

  /// Makes every core's L1 at least `bytes` long. It may move, so call this only between runs.
  /// Returns false if the host has too little address space.
  bool growL1(size_t bytes);
  size_t l1Bytes() const { return l1Length; }
  /// Number of cores whose L1 is mapped.
  size_t numCores() const { return cores.size(); }

  /// Host address of the L1 of logical core (x, y), mapped at the first use; null
  /// if the host has no address space left.
  uint8_t *l1(int x, int y);

  /// First L1 address that a tensor uses; arch().l1Bytes if there is none.
  uint64_t lowestL1Tensor() const { return l1Free.lowestUsed(); }

private:
  uint32_t alignment(BufferType type) const;
  uint32_t numBanks(BufferType type) const;
  FreeList &freeList(BufferType type) { return type == BufferType::DRAM ? dramFree : l1Free; }
  bool mapL1Banks(std::string &whyNoHost);
  bool hasDram();
  uint8_t *mapDram(PlacedTensor &tensor, std::string &whyNoHost);
  uint64_t bytesPerBank(const TensorAccess &access) const;

  std::optional<TensorAllocation> allocateHere(BufferType type, uint32_t pageBytes,
                                               uint32_t numPages, const Sharding &sharding,
                                               const std::string &name, std::string &whyNoHost);
  void freeHere(const TensorAllocation &allocation);

  std::vector<std::unique_ptr<Memories>> others; ///< devices 1, 2, ...
  std::recursive_mutex mutex;                    ///< guards all that follows; allocate() calls l1()
  ArchDesc chip;
  size_t l1Length;
  FreeList dramFree, l1Free;
  Mapping dram;                                 ///< all banks together; empty if not mapped
  std::map<std::pair<int, int>, Mapping> cores; ///< L1 of each core, indexed by (y, x)
  std::vector<uint8_t *> l1Banks;               ///< host address of each bank; empty if not mapped
  std::map<std::pair<BufferType, uint32_t>, std::unique_ptr<PlacedTensor>>
      tensors; ///< tensors, indexed by type and base address
  std::atomic<size_t> unwrittenTensors = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_MEMORIES_H
