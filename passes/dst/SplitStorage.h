//===- SplitStorage.h - buffers for values between pieces of a split *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Values that one piece of a split compute makes and a later one reads go through
// compiler-made Float32 buffers. A buffer is a FIFO ring with one value per block;
// several values share it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_SPLITSTORAGE_H
#define TTJIT_PASSES_DST_SPLITSTORAGE_H

#include "passes/common/Threads.h"

namespace ttjit {

/// A value that passes between pieces: the number of the piece that makes it, and of
/// the last piece that reads it.
struct PassedValue {
  unsigned maker, lastReader;
};

/// The values that one buffer holds: their numbers, in the order in which they are
/// stored.
struct ValueRing {
  llvm::SmallVector<unsigned> values;
  int64_t blocks = 0; ///< a divisor of the number of values
};

/// Distributes values, ordered by maker, over at most `limit` rings; over more only if
/// these rings cannot hold them. It looks for as few blocks as possible; a further ring
/// counts as one block. A ring is FIFO: a block is freed after the last read of it and
/// of all earlier blocks. A ring's number of blocks divides its number of values, so it
/// ends in the slot in which it began.
std::vector<ValueRing> distributeValues(llvm::ArrayRef<PassedValue> values, unsigned limit);

/// The buffers for the splits of one thread. Splits use them one after the other.
class SplitBuffers {
public:
  explicit SplitBuffers(ThreadBinding &binding) : binding(binding) {}

  /// Returns a buffer that was not taken since the last release(); creates one if
  /// necessary.
  mlir::Value take(mlir::tt::ttl::CircularBufferType type, mlir::Location loc);
  /// The buffers that were taken are empty from here on and can be taken again.
  void release() { taken.clear(); }
  /// Number of buffers that the chip has left for further rings; at least one.
  unsigned available();

  /// Number of values that went through the buffers of all splits.
  int64_t numValues = 0;

private:
  ThreadBinding &binding;
  llvm::SmallVector<mlir::Value> buffers;
  llvm::DenseSet<mlir::Value> taken;
};

/// Inserts the reserves, pushes, waits and pops of one split, at the builder's point.
/// The pieces are made in order.
class SplitStorage {
public:
  SplitStorage(mlir::OpBuilder &builder, SplitBuffers &buffers)
      : builder(builder), buffers(buffers) {}

  /// Sets the values that pass, ordered by maker, and the shape of their blocks.
  void plan(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<PassedValue> lives,
            llvm::ArrayRef<int64_t> shape);

  /// Returns the block into which the current piece packs a value.
  mlir::Value reserve(mlir::Value value);
  /// Called after a piece: pushes the blocks that the piece reserved.
  void publish();
  /// Returns the block from which a piece loads a value.
  mlir::Value read(mlir::Value value);
  /// Called after a piece: pops the blocks that no later piece reads.
  void releaseAfter(unsigned piece);

private:
  struct Ring {
    mlir::Value buffer;
    int64_t blocks;
    llvm::SmallVector<unsigned> releases; ///< for each value, the piece after which it is released
    llvm::SmallVector<mlir::Value> reserved; ///< blocks that the current piece reserved
    llvm::SmallVector<mlir::Value> waited;   ///< blocks that were waited for, by value
    int64_t popped = 0;
  };
  struct Place {
    unsigned ring;
    int64_t number; ///< index of the value in the ring
  };

  /// Plans rings for values whose elements are computed in the type `elements`.
  void planRings(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<PassedValue> lives,
                 llvm::ArrayRef<int64_t> shape, mlir::tt::ttcore::DataType elements);
  mlir::Value blockAt(const Ring &ring, mlir::Value block, int64_t front, int64_t older);

  mlir::OpBuilder &builder;
  SplitBuffers &buffers;
  std::vector<Ring> rings;
  llvm::DenseMap<mlir::Value, Place> places;
};

} // namespace ttjit

#endif // TTJIT_PASSES_DST_SPLITSTORAGE_H
