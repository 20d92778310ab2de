//===- Blocks.h - acquires and releases of blocks -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The blocks that a thread holds are in ThreadState. A block that is counted at run time is the
// business of CountedBlocks.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_BLOCKS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_BLOCKS_H

#include "frontend/walk/values/Values.h"

#include "llvm/ADT/ArrayRef.h"

namespace ttjit::frontend {

class Walker;

class Blocks {
public:
  explicit Blocks(Walker &walker) : walker(walker) {}

  /// Acquires a block of a buffer with reserve() or wait(). `buffer` is the buffer's index in
  /// Kernel::buffers.
  Block acquire(py::handle node, unsigned buffer, bool reserve);
  /// Makes all blocks of a tensor-backed buffer readable.
  void publish(py::handle node, unsigned buffer);
  /// Makes a block of the result `value` of a region or loop; the new block is of the same buffer
  /// as `like`. In the thread's list of held blocks it replaces the blocks `replaced`.
  Block passOn(const BlockInfo &like, mlir::Value value, llvm::ArrayRef<Block> replaced);
  void release(py::handle node, const Block &block);
  /// Releases the oldest block of a buffer, for the program's calls buffer.push() and buffer.pop().
  void releaseOldest(py::handle node, unsigned buffer, bool push);

  /// Notes that a block has contents, to which `+=` adds.
  void noteWritten(py::handle node, const Block &block);

  /// Fails if `value` is a block that the compute engine cannot read.
  void checkOperand(py::handle node, const Value &value) const;

private:
  Walker &walker;
  unsigned nextId = 0;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_BLOCKS_H
