//===- Threads.h - programs, their threads and what these are bound to *- C++ -*-===//
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

  /// True for an argument of the function.
  bool isBound(mlir::Value value) {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
    return argument && argument.getOwner()->getParentOp() == function.getOperation();
  }
  /// What is bound to argument `value` of the function.
  mlir::Value boundTo(mlir::Value value);
  /// The create_cb of a buffer argument.
  mlir::tt::ttl::CreateCBOp bufferOf(mlir::Value value);
  /// The create_cb of the buffer whose slot `block` is.
  mlir::tt::ttl::CreateCBOp bufferOfBlock(mlir::Value block);

  /// Adds a compiler-made buffer to the program and binds it to the thread;
  /// returns the function's new argument. It has no index and address yet.
  mlir::Value addBuffer(mlir::tt::ttl::CircularBufferType type, llvm::StringRef name,
                        mlir::Location loc);
};

/// Every thread of every program of the module, in order. Threads whose function has been
/// lowered to another dialect's are left out.
llvm::SmallVector<ThreadBinding> getThreads(mlir::ModuleOp module);

/// The binding of a thread function; nothing for another function. Passes on functions use it,
/// and so do not change ttl.program and ttl.thread ops: others read them at the same time.
std::optional<ThreadBinding> bindingOf(mlir::func::FuncOp function);

/// Chip of a ttl.kernel or ttl.program.
template <typename OpT> hw::ArchDesc archOf(OpT op) {
  return *hw::lookupArch(op.getArch().value_or(hw::kDefaultArch).str());
}

/// The op that made a block: an acquire, or ttl.held_block. Its operand 0 is the
/// buffer.
inline mlir::Operation *acquireOf(mlir::Value block) {
  while (auto view = block.getDefiningOp<mlir::tt::ttl::BlockAtOp>())
    block = view.getBlock();
  return block.getDefiningOp();
}

/// True if what acquireOf() gives is a reserved block, false if it was waited for.
inline bool isReserved(mlir::Operation *acquire) {
  auto held = mlir::dyn_cast<mlir::tt::ttl::HeldBlockOp>(acquire);
  return held ? held.getReserved() : mlir::isa<mlir::tt::ttl::CBReserveOp>(acquire);
}

/// The blocks of a buffer that a thread has reserved (`second` is 1) or waited for (0). Both
/// sides of a buffer are counted independently.
using BlockQueue = std::pair<mlir::Value, unsigned>;

/// The queue that a block of this acquire belongs to.
inline BlockQueue queueOf(mlir::Operation *acquire) {
  return {acquire->getOperand(0), isReserved(acquire)};
}

/// The buffer operand of the acquire that made a block.
inline mlir::Value bufferValueOf(mlir::Value block) { return acquireOf(block)->getOperand(0); }

/// "fused" location that keeps both positions, `first` leading.
mlir::Location fuse(mlir::Location first, mlir::Location second);

/// The location with a user-visible name in front, as values of the frontend have.
mlir::Location named(llvm::StringRef name, mlir::Location loc);

/// The buffers of a program, in order.
llvm::SmallVector<mlir::tt::ttl::CreateCBOp> getBuffers(mlir::tt::ttl::ProgramOp program);

/// One more than the highest buffer index: the number of compile-time arguments
/// that are buffers.
int64_t numBufferIndices(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_THREADS_H
