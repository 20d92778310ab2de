//===- AssignDST.cpp - ttl-assign-dst -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: tiles are computed in a handful of DST registers. Unary ops work in
// place, binary ops write a register of their own, ops that read L1 combine with a
// register that nothing wrote before.
//
// For each ttl.compute, with the capacity of the program's chip and
// configuration:
// 1. Optionally order the ops so that registers are freed early and unary users of
//    a shared value come last (phase 0).
// 2. Copy values that a unary op would destroy while they are still needed
//    (phase 1), find the interval of each class of values that share a register
//    (phase 2), and assign registers by linear scan: inputs and intermediates first
//    (phase 3), then one register per output (phase 4). How many tiles then fit
//    into one section becomes `ttl.unroll_factor`.
// 3. If that does not fit, let outputs share registers with the rest, fill the holes
//    in the lives of values that stand in L1 by loading them where they are read,
//    and order the ops so that fewer values are alive.
// 4. If that does not fit either, split the compute where the fewest tiles must pass
//    through L1. The pieces fit.
//
// With `fpu-binary` sums, differences and products of two tiles that stand in the
// user's buffers are first given to the matrix engine, which reads them from L1.
//
// Computes that have registers already are left alone. Buffers of splits have no
// place yet: ttl-allocate-circular-buffers runs again after this.
//
// Rejects, with `split=false`, computes that need more registers than there are; those
// that take registers themselves (ttl.acquire_dst) and do not fit or spill; given
// registers that are not the hardware's, or that not all operations have.
//===--------------------------------------------------------------------------===//

#include "passes/dst/Passes.h"

#include "ir/TTL/TTLElementwiseOps.h"
#include "passes/dst/ComputeBody.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/dst/DSTSchedule.h"
#include "passes/dst/SplitCompute.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLASSIGNDST
#include "passes/dst/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool spills(ttl::ComputeOp compute) {
  return !compute.getBody().front().getOps<ttl::SpillTileToL1Op>().empty();
}

std::optional<ttl::FPUBinary> fpuKind(Operation *op) {
  if (isa<ttl::TileAddOp>(op))
    return ttl::FPUBinary::Add;
  if (isa<ttl::TileSubOp>(op))
    return ttl::FPUBinary::Sub;
  if (isa<ttl::TileMulOp>(op))
    return ttl::FPUBinary::Mul;
  return std::nullopt;
}

struct AssignDST : ttjit::impl::TTLAssignDSTBase<AssignDST> {
  using TTLAssignDSTBase::TTLAssignDSTBase;

  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (binding.isCompute() && failed(assignThread(binding)))
        return signalPassFailure();
  }

  LogicalResult assignThread(ThreadBinding &binding);
  void useFPU(ttl::ComputeOp compute, ThreadBinding &binding);
  bool assign(ttl::ComputeOp compute, int capacity);
  bool tryPlan(ttl::ComputeOp compute, const TileOrder &order, DSTPlan plan, int capacity);
  LogicalResult split(ttl::ComputeOp compute, int capacity, SplitBuffers &buffers);
  InFlightDiagnostic tooMany(ttl::ComputeOp compute, int capacity);
};

// Buffers of the compiler's are loaded at full precision, which those that the
// matrix engine reads cannot be; what ttl.require_dst names stays in DST.
void AssignDST::useFPU(ttl::ComputeOp compute, ThreadBinding &binding) {
  unsigned inputs = compute.getInputs().size();
  auto isUsers = [&](Value tile) {
    auto argument = dyn_cast<BlockArgument>(tile);
    if (!argument || argument.getArgNumber() >= inputs ||
        llvm::any_of(tile.getUsers(), [](Operation *user) { return isa<ttl::RequireDSTOp>(user); }))
      return false;
    Value block = compute.getInputs()[argument.getArgNumber()];
    return !binding.bufferOfBlock(block).getCompilerMade();
  };
  for (Operation &op : llvm::make_early_inc_range(compute.getBody().front())) {
    std::optional<ttl::FPUBinary> kind = fpuKind(&op);
    if (!kind || !llvm::all_of(op.getOperands(), isUsers))
      continue;
    OpBuilder builder(&op);
    auto onFPU = ttl::TileFPUBinaryOp::create(builder, op.getLoc(), op.getResult(0).getType(),
                                              *kind, op.getOperand(0), op.getOperand(1), Value(),
                                              IntegerAttr());
    op.getResult(0).replaceAllUsesWith(onFPU);
    op.erase();
    ++numFPU;
  }
}

bool AssignDST::tryPlan(ttl::ComputeOp compute, const TileOrder &order, DSTPlan plan,
                        int capacity) {
  DSTSchedule schedule(compute, order, plan);
  if (!schedule.assign(capacity))
    return false;
  if (report)
    compute.emitRemark() << "DST: " << schedule.footprint() << " of " << capacity
                         << " registers, unroll factor " << schedule.unrollFactor()
                         << schedule.describe();
  schedule.apply();
  numLoads += schedule.numLoads();
  numCopies += schedule.numCopies();
  return true;
}

// The published plan as the options have it, then plans that need fewer registers.
bool AssignDST::assign(ttl::ComputeOp compute, int capacity) {
  ++numComputes;
  bool marked = hasDSTMarkers(compute);
  DSTPlan published{lazyLoads ? Loads::AtFirstUse : Loads::AtStart, /*outputsApart=*/true,
                    expireAtUse};
  bool reorder = schedule && !marked;
  if (tryPlan(compute, reorder ? pressureOrder(compute) : writtenOrder(compute), published,
              capacity))
    return true;
  DSTPlan tight{Loads::AtFirstUse, /*outputsApart=*/false, /*expireAtUse=*/true};
  DSTPlan tightest{Loads::AtEachUse, /*outputsApart=*/false, /*expireAtUse=*/true};
  if (marked)
    return tryPlan(compute, writtenOrder(compute), tight, capacity);
  return tryPlan(compute, depthFirstOrder(compute), tight, capacity) ||
         tryPlan(compute, writtenOrder(compute), tight, capacity) ||
         tryPlan(compute, depthFirstOrder(compute), tightest, capacity) ||
         tryPlan(compute, writtenOrder(compute), tightest, capacity);
}

InFlightDiagnostic AssignDST::tooMany(ttl::ComputeOp compute, int capacity) {
  return compute.emitError() << "insufficient DST registers: all " << capacity
                             << " registers in use";
}

// Pieces follow estimates of what fits; one that does not is split further.
LogicalResult AssignDST::split(ttl::ComputeOp compute, int capacity, SplitBuffers &buffers) {
  if (!allowSplit)
    return tooMany(compute, capacity);
  if (hasDSTMarkers(compute))
    return tooMany(compute, capacity)
           << "; a compute that takes registers by hand is not split: take fewer, and spill "
              "nothing";
  SmallVector<std::pair<ttl::ComputeOp, int>> open = {{compute, kLongestPiece}};
  while (!open.empty()) {
    auto [next, longest] = open.pop_back_val();
    ++numSplits;
    for (ttl::ComputeOp piece : splitCompute(next, capacity, longest, buffers)) {
      if (assign(piece, capacity))
        continue;
      int ops = llvm::range_size(piece.getBody().front().without_terminator());
      if (ops <= 1)
        return piece.emitError() << "internal error: one operation needs more than " << capacity
                                 << " DST registers; please report it";
      open.push_back({piece, ops / 2});
    }
  }
  return success();
}

LogicalResult AssignDST::assignThread(ThreadBinding &binding) {
  int capacity = dstCapacityOf(binding.program, binding.thread.getResources());
  SmallVector<ttl::ComputeOp> computes, tooLarge;
  binding.function.walk([&](ttl::ComputeOp compute) { computes.push_back(compute); });
  for (ttl::ComputeOp compute : computes) {
    hoistNumbers(compute);
    if (failed(checkRegisters(compute, capacity)))
      return failure();
    if (hasRegisters(compute)) {
      dropStatements(compute);
      continue;
    }
    if (fpuBinary)
      useFPU(compute, binding);
    if (spills(compute) || !assign(compute, capacity))
      tooLarge.push_back(compute);
  }
  SplitBuffers buffers(binding);
  for (ttl::ComputeOp compute : tooLarge) {
    if (failed(split(compute, capacity, buffers)))
      return failure();
    buffers.release();
  }
  numSplitTiles += buffers.numValues;
  return success();
}

} // namespace
