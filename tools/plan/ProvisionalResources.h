//===- ProvisionalResources.h - places for unplaced resources -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_PROVISIONALRESOURCES_H
#define TTJIT_TOOLS_PLAN_PROVISIONALRESOURCES_H

#include "hw/facts/Arch.h"
#include "ir/TTL/TTL.h"

namespace ttjit::plan {

/// Indices, ids and addresses of a kernel's resources for one launch. A resource that no
/// pass has placed gets the lowest free index or id, and the next free address. The IR does
/// not change.
class ProvisionalResources {
public:
  struct BufferPlace {
    int64_t index, pageBytes;
    int64_t address; ///< 0 if a tensor backs the buffer
  };

  /// Places every resource if `complete`; otherwise keeps only the places that the IR
  /// has.
  ProvisionalResources(mlir::Region &body, const hw::ArchDesc &arch, bool complete);

  std::optional<BufferPlace> find(mlir::tt::ttl::CreateCBOp buffer) const;
  std::optional<uint32_t> find(mlir::tt::ttl::CreateSemaphoreOp semaphore) const;
  /// Returns the L1 address of the first landing slot, of the first counter that is not
  /// a semaphore, or of a semaphore that is a word of the page of counters.
  std::optional<uint32_t> find(mlir::tt::ttl::CreateLandingOp landing) const;
  std::optional<uint32_t> find(mlir::tt::ttl::CreateCountersOp counters) const;
  std::optional<uint32_t> pageAddress(mlir::tt::ttl::CreateSemaphoreOp semaphore) const;

  /// Returns the address of a word of L1 that only the thread on this processor uses.
  uint32_t scratchWord(unsigned processor, const hw::ArchDesc &arch) const {
    return static_cast<uint32_t>(scratch + int64_t(processor) * arch.l1Alignment);
  }

private:
  void placeBuffers(mlir::Region &body, const hw::ArchDesc &arch);
  void placeSemaphores(mlir::Region &body, const hw::ArchDesc &arch);
  void placeRanges(mlir::Region &body, const hw::ArchDesc &arch);

  llvm::DenseMap<mlir::Operation *, BufferPlace> buffers;
  llvm::DenseMap<mlir::Operation *, uint32_t> semaphores;
  llvm::SmallVector<mlir::Operation *> words;         ///< semaphores for which no id is left
  llvm::DenseMap<mlir::Operation *, uint32_t> ranges; ///< address of each range
  int64_t end = 0;                                    ///< end of the used part of L1
  int64_t scratch = 0;
};

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_PROVISIONALRESOURCES_H
