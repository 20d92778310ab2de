//===- ProvisionalResources.h - what no pass has assigned yet -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_PROVISIONALRESOURCES_H
#define TTJIT_TOOLS_PLAN_PROVISIONALRESOURCES_H

#include "hw/facts/Arch.h"
#include "ir/TTL/TTL.h"

namespace ttjit::session {

/// Where the resources of a kernel stand when it is launched. Before the passes that
/// assign them have run, those that have no place get one for the launch alone: the
/// lowest free index or id, and addresses behind each other. The IR stays as it is.
class ProvisionalResources {
public:
  struct BufferPlace {
    int64_t index, pageBytes, address;
  };

  /// `complete`: give everything a place. Otherwise what has none stays without.
  ProvisionalResources(mlir::Region &body, const hw::ArchDesc &arch, bool complete);

  std::optional<BufferPlace> find(mlir::tt::ttl::CreateCBOp buffer) const;
  std::optional<uint32_t> find(mlir::tt::ttl::CreateSemaphoreOp semaphore) const;
  /// L1 addresses: of the first landing slot; of the first counter, where the counters
  /// are no semaphores; of a semaphore that is a word of the page.
  std::optional<uint32_t> find(mlir::tt::ttl::CreateLandingOp landing) const;
  std::optional<uint32_t> find(mlir::tt::ttl::CreateCountersOp counters) const;
  std::optional<uint32_t> pageAddress(mlir::tt::ttl::CreateSemaphoreOp semaphore) const;

  /// A word of L1 for the thread on this processor.
  uint32_t scratchWord(unsigned processor, const hw::ArchDesc &arch) const {
    return static_cast<uint32_t>(scratch + int64_t(processor) * arch.l1Alignment);
  }

private:
  void placeBuffers(mlir::Region &body, const hw::ArchDesc &arch);
  void placeSemaphores(mlir::Region &body, const hw::ArchDesc &arch);
  void placeRanges(mlir::Region &body, const hw::ArchDesc &arch);

  llvm::DenseMap<mlir::Operation *, BufferPlace> buffers;
  llvm::DenseMap<mlir::Operation *, uint32_t> semaphores;
  llvm::SmallVector<mlir::Operation *> words;         ///< semaphores for which no number is left
  llvm::DenseMap<mlir::Operation *, uint32_t> ranges; ///< addresses
  int64_t end = 0;                                    ///< of what stands in L1
  int64_t scratch = 0;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_PLAN_PROVISIONALRESOURCES_H
