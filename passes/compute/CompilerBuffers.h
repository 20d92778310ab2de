//===- CompilerBuffers.h - circular buffers for intermediate values -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiler-made buffers hold Float32 whatever the kernel's formats, so that
// storing an intermediate value never rounds; only copies of what a block holds
// have that block's format. They are private to the compute
// thread and follow the ordinary protocol; each block that is waited for here is
// popped after its last use.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_COMPILERBUFFERS_H
#define TTJIT_PASSES_COMPUTE_COMPILERBUFFERS_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/StringSet.h"

namespace ttjit {

class CompilerBuffers {
public:
  /// Buffers of the thread's kernel, created before its threads.
  explicit CompilerBuffers(mlir::Operation *thread);

  /// A buffer for one block of the shape of `value`, a block expression, named after
  /// the value's name in the user's program.
  mlir::Value create(mlir::Value value);

  /// A buffer for the old and the new block of a value that a loop carries, marked
  /// `accumulator`. The caller follows that attribute's protocol.
  mlir::Value createAccumulator(mlir::Value value);

  /// A buffer of one block for what `block` holds, in its format.
  mlir::Value createCopyOf(mlir::Value block);

  /// Waits for the oldest block.
  mlir::Value wait(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

  /// Inserts the pop of every block that wait() returned, after the last op in
  /// the wait's block that uses it or contains a use.
  void popAfterLastUse();

  /// Lets buffers of one type that are never in use together be one buffer.
  void mergeBuffers();

private:
  std::string uniqueName(mlir::Value value, llvm::StringRef role);
  mlir::tt::ttl::CreateCBOp create(mlir::Value value, llvm::StringRef role,
                                   mlir::tt::ttl::CircularBufferType type);

  mlir::Operation *thread, *firstThread;
  llvm::StringSet<> names;
  llvm::SmallVector<mlir::tt::ttl::CreateCBOp> buffers;
  llvm::SmallVector<mlir::Value> waited;
};

/// The op in `block`'s own IR block after which it is not used any more: the
/// acquire itself if it is never used.
mlir::Operation *lastUse(mlir::Value block);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_COMPILERBUFFERS_H
