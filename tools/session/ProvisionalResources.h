//===- ProvisionalResources.h - what no pass has assigned yet -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_PROVISIONALRESOURCES_H
#define TTJIT_TOOLS_SESSION_PROVISIONALRESOURCES_H

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

private:
  void placeBuffers(mlir::Region &body, const hw::ArchDesc &arch);
  void placeSemaphores(mlir::Region &body);

  llvm::DenseMap<mlir::Operation *, BufferPlace> buffers;
  llvm::DenseMap<mlir::Operation *, uint32_t> semaphores;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_PROVISIONALRESOURCES_H
