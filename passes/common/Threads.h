//===- Threads.h - programs, threads, what they bind ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_THREADS_H
#define TTJIT_PASSES_COMMON_THREADS_H

#include "hw/facts/Arch.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// One thread of a program after ttl-expand-threads: argument i of `function` is
/// operand i of `thread`.
struct ThreadBinding {
  mlir::tt::ttl::ProgramOp program;
  mlir::tt::ttl::ThreadOp thread;
  mlir::func::FuncOp function;

  bool isCompute() { return thread.getProcessor() == mlir::tt::ttl::Processor::Compute; }

  /// Returns whether `value` is an argument of the function.
  bool isBound(mlir::Value value) {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
    return argument && argument.getOwner()->getParentOp() == function.getOperation();
  }
  /// The operand of `thread` that is bound to argument `value` of the function.
  mlir::Value boundTo(mlir::Value value);
  /// The ttl.create_cb that makes the buffer argument `value`.
  mlir::tt::ttl::CreateCBOp bufferOf(mlir::Value value);
  /// The ttl.create_cb that makes the buffer of which `block` is a slot.
  mlir::tt::ttl::CreateCBOp bufferOfBlock(mlir::Value block);

  /// Adds a compiler-made buffer to the program and binds it to the thread;
  /// returns the function's new argument. It has no index and address yet.
  mlir::Value addBuffer(mlir::tt::ttl::CircularBufferType type, llvm::StringRef name,
                        mlir::Location loc);
};

/// All threads of all programs of the module, in order, except threads whose function
/// has been lowered to another dialect.
llvm::SmallVector<ThreadBinding> getThreads(mlir::ModuleOp module);

/// The binding of a thread function; nothing for another function. Passes on functions use it,
/// and so do not change ttl.program and ttl.thread ops: others read them at the same time.
std::optional<ThreadBinding> bindingOf(mlir::func::FuncOp function);

/// The chip of a ttl.kernel or ttl.program.
template <typename OpT> hw::ArchDesc archOf(OpT op) {
  return *hw::lookupArch(op.getArch().value_or(hw::kDefaultArch).str());
}

/// The op that made a block: an acquire or ttl.held_block. Its operand 0 is the buffer.
inline mlir::Operation *acquireOf(mlir::Value block) {
  while (auto view = block.getDefiningOp<mlir::tt::ttl::BlockAtOp>())
    block = view.getBlock();
  return block.getDefiningOp();
}

/// Returns whether the thread itself counts the blocks that it holds of the buffer: `acquire` says
/// how many, and other ops name the blocks by ttl.held_block and ttl.block_at. ttl-bufferize brings
/// all threads to this form.
inline bool isCountedAcquire(mlir::Operation *acquire) { return acquire->hasAttr("outstanding"); }
inline bool isCountedBlock(mlir::Value block) {
  return mlir::isa_and_present<mlir::tt::ttl::HeldBlockOp, mlir::tt::ttl::BlockAtOp>(
      block.getDefiningOp());
}

/// Returns whether `acquire`, a result of acquireOf(), makes a reserved block; else it waits for
/// one.
inline bool isReserved(mlir::Operation *acquire) {
  auto held = mlir::dyn_cast<mlir::tt::ttl::HeldBlockOp>(acquire);
  return held ? held.getReserved() : mlir::isa<mlir::tt::ttl::CBReserveOp>(acquire);
}

/// A buffer, and a side of it: the blocks that a thread has reserved (`second` is 1) or
/// waited for (0). The two sides are counted independently.
using BlockQueue = std::pair<mlir::Value, unsigned>;

/// The queue to which the block of this acquire belongs.
inline BlockQueue queueOf(mlir::Operation *acquire) {
  return {acquire->getOperand(0), isReserved(acquire)};
}

/// The buffer operand of the acquire that made the block.
inline mlir::Value bufferValueOf(mlir::Value block) { return acquireOf(block)->getOperand(0); }

/// Returns a "fused" location of both positions; `first` is the main one.
mlir::Location fuse(mlir::Location first, mlir::Location second);

/// Returns `loc` with the user-visible `name`, in the form that the frontend gives to
/// values.
mlir::Location named(llvm::StringRef name, mlir::Location loc);

/// The buffers of a program, in the order of their ops.
llvm::SmallVector<mlir::tt::ttl::CreateCBOp> getBuffers(mlir::tt::ttl::ProgramOp program);

/// The highest buffer index plus one, which is the number of buffers among the
/// compile-time arguments.
int64_t numBufferIndices(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_THREADS_H
