//===- TileCompute.cpp - ttl-tile-compute -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: ttl-assign-dst splits a compute that needs more DST registers than there
// are. Values that one piece makes and another reads go through buffers in L1. If the
// whole block is computed at once, these buffers are as large as the block.
//
// For each ttl.compute in a compute thread:
// 1. Find out whether it fits into the DST registers, as ttl-assign-dst will.
// 2. If not, tile its parallel iterators (TilingInterface): a loop over windows of at
//    most as many tiles as a DST section has registers, and so few that the buffers of
//    the split fit into L1 beside the kernel's; innermost iterators first, by sizes
//    that divide the extents. The split then happens inside the loop and its buffers
//    hold one window.
//
// Rejects nothing; a compute that cannot be tiled stays whole.
//===--------------------------------------------------------------------------===//

#include "passes/compute/Passes.h"

#include "ir/TTL/BufferPages.h"
#include "passes/dst/ComputeBody.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/dst/DSTPlans.h"
#include "passes/dst/SplitCompute.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLTILECOMPUTE
#include "passes/compute/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

int64_t largestDivisor(int64_t extent, int64_t limit) {
  int64_t divisor = std::min(extent, limit);
  while (extent % divisor)
    --divisor;
  return divisor;
}

// DST registers and L1 that a kernel's chip has for the buffers of splits.
struct Room {
  unsigned buffers;
  int64_t bytes;
};

Room roomIn(ttl::KernelOp kernel) {
  hw::ArchDesc arch = archOf(kernel);
  int64_t buffers = arch.maxCircularBuffers, bytes = arch.l1Available();
  for (auto buffer : kernel.getBody().getOps<ttl::CreateCBOp>()) {
    --buffers;
    bytes -= buffer.isTensorBacked() ? 0 : ttl::totalBytesOf(buffer);
  }
  return {static_cast<unsigned>(std::max<int64_t>(buffers, 1)), bytes};
}

// Number of tiles in a window. A buffer that passes a value from one
// piece of a split compute to the next needs room for that many tiles.
int64_t tilesOfWindow(ttl::ComputeOp compute, int capacity, Room room) {
  constexpr int64_t kTileBytes = 32 * 32 * sizeof(float);
  if (hasDSTMarkers(compute))
    return capacity; // the compute is not split
  int64_t blocks = blocksOfSplit(compute, capacity, room.buffers);
  int64_t fitting = blocks ? room.bytes / (blocks * kTileBytes) : capacity;
  return std::clamp<int64_t>(fitting, 1, capacity);
}

// Returns the extents of a window of at most `tiles` tiles. Reductions are not tiled.
SmallVector<int64_t> windowOf(ttl::ComputeOp compute, int64_t tiles) {
  SmallVector<int64_t> window = compute.getIterationDomain();
  for (int i = window.size() - 1; i >= 0; --i) {
    if (compute.isReduction(i))
      continue;
    window[i] = largestDivisor(window[i], tiles);
    tiles /= window[i];
  }
  return window;
}

bool tile(ttl::ComputeOp compute, ArrayRef<int64_t> window) {
  IRRewriter rewriter(compute);
  SmallVector<OpFoldResult> sizes;
  bool smaller = false;
  for (auto [extent, size] : llvm::zip(compute.getIterationDomain(), window)) {
    smaller |= size != extent;
    sizes.push_back(rewriter.getIndexAttr(size == extent ? 0 : size));
  }
  if (!smaller)
    return false;
  auto tiled = scf::tileUsingSCF(rewriter, cast<TilingInterface>(compute.getOperation()),
                                 scf::SCFTilingOptions().setTileSizes(sizes));
  if (failed(tiled))
    return false;
  rewriter.eraseOp(compute);
  return true;
}

struct TileCompute : ttjit::impl::TTLTileComputeBase<TileCompute> {
  void getDependentDialects(DialectRegistry &registry) const override {
    TTLTileComputeBase::getDependentDialects(registry);
    registry.insert<affine::AffineDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([&](ttl::ComputeThreadOp thread) {
      auto kernel = cast<ttl::KernelOp>(thread->getParentOp());
      int capacity = dstCapacityOf(kernel, acquiredBuffers(thread.getBody()));
      SmallVector<ttl::ComputeOp> computes;
      thread.walk([&](ttl::ComputeOp compute) { computes.push_back(compute); });
      for (ttl::ComputeOp compute : computes) {
        hoistNumbers(compute);
        if (!hasRegisters(compute) && !chooseSchedule(compute, capacity))
          numTiled +=
              tile(compute, windowOf(compute, tilesOfWindow(compute, capacity, roomIn(kernel))));
      }
    });
  }
};

} // namespace
