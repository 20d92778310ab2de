//===- BufferCounts.h - how often buffers are used ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts reserves, pushes, waits, pops and publishes over all paths through loops and branches. The
// analyses that compare the threads of a node use it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_BUFFERCOUNTS_H
#define TTJIT_PASSES_COMMON_BUFFERCOUNTS_H

#include "passes/common/PassDialects.h"

#include <array>

namespace ttjit {

/// An operation on one block of a circular buffer, or on all blocks of it (Publish).
enum class BufferOp : uint8_t { Reserve, Push, Wait, Pop, Publish };
inline constexpr int kNumBufferOps = 5;

/// Returns nothing if `op` is no reserve, push, wait, pop or publish.
std::optional<BufferOp> bufferOpOf(mlir::Operation *op);

/// Bounds of the number of times that something happens. Numbers above 2^40 count as 2^40.
struct CountRange {
  int64_t least = 0, most = 0;

  bool operator==(const CountRange &) const = default;
  bool isExact() const { return least == most; }
  /// Returns the counts if both events happen.
  CountRange operator+(CountRange other) const;
  /// Returns the counts if one of the two events happens.
  CountRange either(CountRange other) const;
  /// Returns the counts if the event happens in each of `count` rounds; nothing means an unknown
  /// number of rounds.
  CountRange repeated(std::optional<uint64_t> count) const;
};

/// Counts of one buffer.
class BufferCount {
public:
  CountRange &operator[](BufferOp op) { return times[static_cast<int>(op)]; }
  CountRange operator[](BufferOp op) const { return times[static_cast<int>(op)]; }
  /// Returns whether each of the blocks that are reserved is also pushed, waited for and popped.
  bool isBalanced() const;

private:
  std::array<CountRange, kNumBufferOps> times;
};

/// Counts by buffer; buffers that are not used are missing.
using BufferCounts = llvm::DenseMap<mlir::Operation *, BufferCount>;

/// Returns the ttl.create_cb of the reserve, push, wait, pop or publish `op`, or null.
using FindBuffer = llvm::function_ref<mlir::Operation *(mlir::Operation *op)>;

/// A FindBuffer for the ops of a ttl.kernel. Returns null for an op on a block that a loop or
/// branch passes on.
mlir::Operation *createdBufferOf(mlir::Operation *op);

/// Counts what happens each time that `op` (or all ops of `block`) run.
BufferCounts countBufferOps(mlir::Operation &op, FindBuffer bufferOf);
BufferCounts countBufferOps(mlir::Block &block, FindBuffer bufferOf);

/// Adds `more` to `counts`.
void addCounts(BufferCounts &counts, const BufferCounts &more);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_BUFFERCOUNTS_H
