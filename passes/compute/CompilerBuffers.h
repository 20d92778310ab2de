//===- CompilerBuffers.h - circular buffers for intermediate values -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiler-made buffers hold Float32 whatever the formats of the kernel, so that
// storing an intermediate value never rounds; only a buffer that copies a block has the
// format of that block. They are private to the compute thread and follow the ordinary
// protocol. Each block that wait() returns is popped after its last use.
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

  /// Creates a buffer for one block of the shape of `value`, a block expression. The
  /// buffer is named after the value's name in the user's program.
  mlir::Value create(mlir::Value value);

  /// Creates a buffer like the other create(), but with elements of `type`.
  mlir::Value create(mlir::Value value, mlir::tt::ttcore::DataType type);

  /// Creates a buffer for the old and the new block of a value that a loop carries, and
  /// marks it `accumulator`. The caller follows the protocol of that attribute.
  mlir::Value createAccumulator(mlir::Value value);

  /// Creates a buffer of one block, in the format of `block`, for a copy of its
  /// contents.
  mlir::Value createCopyOf(mlir::Value block);

  /// Waits for the oldest block of the buffer and returns it.
  mlir::Value wait(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

  /// Inserts the pop of every block that wait() returned. The pop follows the last op
  /// of the wait's IR block that uses the block or contains a use.
  void popAfterLastUse();

  /// Merges buffers of one type that are never in use at the same time.
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

/// The last op in the acquire's own IR block that uses `block` or contains a use; the
/// acquire itself if there is none.
mlir::Operation *lastUse(mlir::Value block);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_COMPILERBUFFERS_H
