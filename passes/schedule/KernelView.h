//===- KernelView.h - a kernel at any stage before `ttkernel` -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Schedules run on ttl.kernel, whose threads are regions, and on ttl.program,
// whose threads are functions. KernelView gives both the same interface: threads with a
// body, and values that resolve to the kernel's own buffers and tensors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_KERNELVIEW_H
#define TTJIT_PASSES_SCHEDULE_KERNELVIEW_H

#include "hw/facts/Arch.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// Returns whether the op has no other effect than that it may report a fault.
bool onlyMayFault(mlir::Operation *op);

class KernelView {
public:
  struct Thread {
    mlir::Operation *op; ///< thread region op or function
    mlir::Region *body;
    bool isCompute;
  };

  /// Returns the kernel or program that `op` is, is in, or is a thread function of;
  /// nothing if there is none.
  static std::optional<KernelView> around(mlir::Operation *op);

  mlir::Operation *getOperation() const { return kernel; }
  llvm::ArrayRef<Thread> getThreads() const { return threads; }
  llvm::SmallVector<mlir::tt::ttl::CreateCBOp> getBuffers() const;
  const hw::ArchDesc &getArch() const { return arch; }
  mlir::tt::ttcore::ComputeConfigAttr getComputeConfig() const { return config; }

  /// Returns the kernel's value for a value that a thread uses.
  mlir::Value resolve(mlir::Value value) const;
  /// Returns the buffer of an acquire, or of the acquire that made a block; null if the
  /// block is a result of a loop or branch.
  mlir::tt::ttl::CreateCBOp bufferOf(mlir::Operation *acquire) const;
  mlir::tt::ttl::CreateCBOp bufferOf(mlir::Value block) const;
  /// Returns the kernel's argument that a transfer reads or writes; null if the
  /// transfer is not between a tensor and a block.
  mlir::Value tensorOf(mlir::tt::ttl::CopyOp copy) const;

  /// Returns whether several threads access the tensor and at least one of them writes it.
  bool isShared(mlir::Value tensor) const { return shared.contains(tensor); }
  /// Returns whether some thread writes the tensor.
  bool isWritten(mlir::Value tensor) const { return written.contains(tensor); }

  /// Changes the number of blocks of a buffer, in the type of every value that refers
  /// to it.
  void setBlockCount(mlir::tt::ttl::CreateCBOp buffer, int64_t blocks) const;

private:
  void addThreads(mlir::tt::ttl::KernelOp kernel);
  void addThreads(mlir::tt::ttl::ProgramOp program);
  void noteAccesses();

  mlir::Operation *kernel = nullptr;
  hw::ArchDesc arch;
  mlir::tt::ttcore::ComputeConfigAttr config;
  llvm::SmallVector<Thread, 3> threads;
  llvm::DenseMap<mlir::Value, mlir::Value> bound; ///< values bound to function arguments
  llvm::DenseSet<mlir::Value> shared, written;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_KERNELVIEW_H
