//===- SplitStorage.h - buffers for values between pieces of a split -*- C++ -*-===//
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

/// A value that passes between pieces, by their numbers: made by one, read last by
/// another.
struct PassedValue {
  unsigned maker, lastReader;
};

/// A buffer's share of the values: numbers in the order in which they are stored.
struct ValueRing {
  llvm::SmallVector<unsigned> values;
  int64_t blocks = 0; ///< divides the number of values
};

/// Distributes values, ordered by maker, over at most `limit` rings, more if they hold
/// no more: as few blocks as can be found, a further ring counting as one. The ring is
/// FIFO: a block is freed after the last read of it and of all earlier blocks. Since a
/// ring's blocks divide its values, it ends in the slot in which it began.
std::vector<ValueRing> distributeValues(llvm::ArrayRef<PassedValue> values, unsigned limit);

/// The buffers that the splits of one thread use, one after the other.
class SplitBuffers {
public:
  explicit SplitBuffers(ThreadBinding &binding) : binding(binding) {}

  /// A buffer that was not taken since the last release().
  mlir::Value take(mlir::tt::ttl::CircularBufferType type, mlir::Location loc);
  /// What was taken is empty from here on.
  void release() { taken.clear(); }
  /// Buffers that the chip has for further rings; at least one.
  unsigned available();

  /// Values that went through the buffers of all splits.
  int64_t numValues = 0;

private:
  ThreadBinding &binding;
  llvm::SmallVector<mlir::Value> buffers;
  llvm::DenseSet<mlir::Value> taken;
};

/// Makes the protocol of one split. Everything is inserted at the builder's point; the
/// pieces are made in their order.
class SplitStorage {
public:
  SplitStorage(mlir::OpBuilder &builder, SplitBuffers &buffers)
      : builder(builder), buffers(buffers) {}

  /// Says which values pass, ordered by maker, and the shape of their blocks.
  void plan(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<PassedValue> lives,
            llvm::ArrayRef<int64_t> shape);

  /// The block into which the piece that begins packs a value.
  mlir::Value reserve(mlir::Value value);
  /// After the piece: what was reserved can be read.
  void publish();
  /// The block from which a piece loads a value.
  mlir::Value read(mlir::Value value);
  /// After a piece: releases what is not read any more.
  void releaseAfter(unsigned piece);

private:
  struct Ring {
    mlir::Value buffer;
    int64_t blocks;
    llvm::SmallVector<unsigned> releases;    ///< by place: piece after which it is free
    llvm::SmallVector<mlir::Value> reserved; ///< by the piece that is made
    llvm::SmallVector<mlir::Value> waited;   ///< by place
    int64_t popped = 0;
  };
  struct Place {
    unsigned ring;
    int64_t number; ///< in the ring
  };

  /// The same for values that are computed as `elements`.
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
