//===- MultiSizeSplit.cpp - transform.ttl.multisize_split ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: if the tile size does not divide the extent, the last tile is smaller, and the size
// is not constant in the loop.
//
// 1. Choose two sizes, one divisor apart, that cover the extent exactly.
// 2. Create a loop for each size through TilingInterface.
//
// Rejects: ops other than ttl.compute; dimensions that are absent or reductions;
// extents that are no multiple of the divisor.
//===--------------------------------------------------------------------------===//

#include "passes/schedule/TTLTransformOps.h"

#include "hw/facts/Words.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

// A split of a loop: `lowCount` tiles of `low` iterations each, then `highCount` tiles
// of `low` + divisor iterations each.
struct Sizes {
  int64_t low, lowCount, highCount;
};

// Chooses sizes in units of the divisor: as few tiles as the target allows, as equal as
// possible.
Sizes chooseSizes(int64_t extent, int64_t target, int64_t divisor) {
  int64_t units = extent / divisor;
  int64_t largest = std::max<int64_t>(target / divisor, 1);
  int64_t tiles = llvm::divideCeil(units, largest);
  int64_t highCount = units % tiles;
  return {units / tiles * divisor, tiles - highCount, highCount};
}

class Splitter {
public:
  Splitter(RewriterBase &rewriter, ttl::ComputeOp target, unsigned dimension)
      : rewriter(rewriter), target(target), dimension(dimension) {}

  // Creates `count` tiles of `size` from iteration `first` on. Returns null after
  // reporting an error if the op cannot be tiled.
  Operation *tile(int64_t first, int64_t size, int64_t count) {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = target.getLoc();
    Value begin = index(first);
    if (count > 1) {
      Value end = index(first + size * count);
      auto loop = scf::ForOp::create(rewriter, loc, begin, end, index(size));
      rewriter.setInsertionPointToStart(loop.getBody());
      begin = loop.getInductionVar();
    }
    SmallVector<int64_t> domain = target.getIterationDomain();
    SmallVector<OpFoldResult> offsets(domain.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(target.getContext(), domain);
    offsets[dimension] = begin;
    sizes[dimension] = rewriter.getIndexAttr(size);
    FailureOr<TilingResult> tiled = target.getTiledImplementation(rewriter, offsets, sizes);
    return failed(tiled) ? nullptr : tiled->tiledOps.front();
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, target.getLoc(), value);
  }

  RewriterBase &rewriter;
  ttl::ComputeOp target;
  unsigned dimension;
};

} // namespace

static DiagnosedSilenceableFailure split(TTLMultiSizeSplitOp op, RewriterBase &rewriter,
                                         ttl::ComputeOp target, Operation *&low, Operation *&high) {
  SmallVector<int64_t> domain = target.getIterationDomain();
  auto dimension = static_cast<uint64_t>(op.getDimension());
  if (dimension >= domain.size())
    return failAt(op, target) << "cannot split dimension " << op.getDimension() << ": the op has "
                              << hw::plural(domain.size(), "iterator");
  if (target.isReduction(dimension))
    return failAt(op, target) << "cannot split dimension " << op.getDimension()
                              << ": it is a reduction";
  int64_t extent = domain[dimension], divisor = op.getDivisor();
  if (extent % divisor)
    return failAt(op, target) << "cannot split dimension " << op.getDimension() << ": its extent "
                              << extent << " is no multiple of the divisor " << divisor;

  rewriter.setInsertionPoint(target);
  Sizes sizes = chooseSizes(extent, op.getTargetSize(), divisor);
  Splitter splitter(rewriter, target, dimension);
  low = splitter.tile(0, sizes.low, sizes.lowCount);
  if (low && sizes.highCount)
    high = splitter.tile(sizes.low * sizes.lowCount, sizes.low + divisor, sizes.highCount);
  if (!low || (sizes.highCount && !high))
    return op.emitDefiniteFailure() << "cannot split this op: tiling it failed";
  rewriter.eraseOp(target);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure TTLMultiSizeSplitOp::apply(TransformRewriter &rewriter,
                                                       TransformResults &results,
                                                       TransformState &state) {
  SmallVector<Operation *> lows, highs;
  for (Operation *target : llvm::to_vector(state.getPayloadOps(getTarget()))) {
    auto compute = dyn_cast<ttl::ComputeOp>(target);
    if (!compute)
      return failAt(*this, target)
             << "the target must be a ttl.compute, found " << target->getName();
    Operation *low = nullptr, *high = nullptr;
    DiagnosedSilenceableFailure done = split(*this, rewriter, compute, low, high);
    if (!done.succeeded())
      return done;
    lows.push_back(low);
    if (high)
      highs.push_back(high);
  }
  results.set(cast<OpResult>(getLow()), lows);
  results.set(cast<OpResult>(getHigh()), highs);
  return DiagnosedSilenceableFailure::success();
}
