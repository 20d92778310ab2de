//===- AssignDST.cpp - ttl-assign-dst -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: tiles are computed in 4 to 16 DST registers. Unary ops work in place. Binary
// ops write another register than they read. Ops that read L1 add to a register, which
// must not have been written before in the section.
//
// For each ttl.compute, with the capacity of the program's chip and
// configuration:
// 1. Optionally order the ops so that registers are freed early and unary users of a
//    shared value come last (phase 0).
// 2. Copy values that a unary op would destroy while they are still needed (phase 1),
//    find the interval of each class of values that share a register (phase 2), and
//    assign registers by linear scan: inputs and intermediates first (phase 3), then
//    one register per output (phase 4). How many tiles then fit into one section
//    becomes `ttl.unroll_factor`.
// 3. If that does not fit, let outputs share registers with the rest, load tiles where
//    they are read instead of keeping them, and order the ops so that fewer values are
//    alive (DSTPlans.h).
// 4. If that does not fit either, split the compute where the fewest tiles must pass
//    through L1. The pieces fit.
//
// With `fpu-binary` the matrix engine computes sums, differences and products of two
// tiles of the user's buffers; it reads them from L1.
//
// Computes that have registers already keep them. Buffers of splits have no address yet:
// ttl-allocate-circular-buffers runs again after this.
//
// Rejects: with `split=false`, computes that need more registers than there are;
// computes that control registers themselves (ttl.acquire_dst) and do not fit or spill;
// registers in the input that the hardware does not have, that only some operations
// have, or that overwrite each other if `ttl.unroll_factor` puts several tiles into a
// section.
//===--------------------------------------------------------------------------===//

#include "passes/dst/Passes.h"

#include "ir/TTL/TTLElementwiseOps.h"
#include "passes/common/Threads.h"
#include "passes/dst/ComputeBody.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/dst/DSTPlans.h"
#include "passes/dst/SplitCompute.h"

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
  auto row = dyn_cast<ttl::TileBinaryOp>(op);
  if (!row)
    return std::nullopt;
  switch (row.getTileOp()) {
  case hw::TileOp::Add:
    return ttl::FPUBinary::Add;
  case hw::TileOp::Sub:
    return ttl::FPUBinary::Sub;
  case hw::TileOp::Mul:
    return ttl::FPUBinary::Mul;
  default:
    return std::nullopt;
  }
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
  LogicalResult split(ttl::ComputeOp compute, int capacity, SplitBuffers &buffers);
  InFlightDiagnostic tooMany(ttl::ComputeOp compute, int capacity);
};

// Lets the matrix engine compute where it may: it rounds the tiles that it reads from L1.
// Compiler-made buffers hold values that must not be rounded, so tiles of them are loaded into DST
// instead. So are tiles that ttl.require_dst names.
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
    auto onFPU =
        ttl::TileFPUBinaryOp::create(builder, op.getLoc(), op.getResult(0).getType(), *kind,
                                     op.getOperand(0), op.getOperand(1), Value(), IntegerAttr());
    op.getResult(0).replaceAllUsesWith(onFPU);
    op.erase();
    ++numFPU;
  }
}

bool AssignDST::assign(ttl::ComputeOp compute, int capacity) {
  ++numComputes;
  DSTChoices choices;
  choices.schedule = schedule;
  choices.lazyLoads = lazyLoads;
  choices.expireAtUse = expireAtUse;
  std::optional<DSTSchedule> chosen = chooseSchedule(compute, capacity, choices);
  if (!chosen)
    return false;
  if (report)
    compute.emitRemark() << "DST: " << chosen->footprint() << " of " << capacity
                         << " registers, unroll factor " << chosen->unrollFactor()
                         << chosen->describe();
  chosen->apply();
  numLoads += chosen->numLoads();
  numCopies += chosen->numCopies();
  return true;
}

InFlightDiagnostic AssignDST::tooMany(ttl::ComputeOp compute, int capacity) {
  return compute.emitError() << "insufficient DST registers: all " << capacity
                             << " registers in use";
}

// Splits by an estimate of the registers of each piece. A piece that does not fit after
// all is split further.
LogicalResult AssignDST::split(ttl::ComputeOp compute, int capacity, SplitBuffers &buffers) {
  if (!allowSplit)
    return tooMany(compute, capacity);
  if (hasDSTMarkers(compute))
    return tooMany(compute, capacity) << "; a compute with ttl.acquire_dst cannot be split: "
                                         "acquire fewer registers, and spill "
                                         "no tile";
  // Ops whose results nobody reads could be a piece without outputs. Without them the compute may
  // fit; one that spills tiles is split all the same.
  eraseUnusedOps(compute);
  if (!spills(compute) && assign(compute, capacity))
    return success();
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
  int capacity = dstCapacityOf(binding.program, usedResources(binding));
  SmallVector<ttl::ComputeOp> computes, tooLarge;
  binding.function.walk([&](ttl::ComputeOp compute) { computes.push_back(compute); });
  for (ttl::ComputeOp compute : computes) {
    hoistNumbers(compute);
    if (failed(checkRegisters(compute, capacity)))
      return failure();
    if (hasRegisters(compute)) {
      eraseMarkers(compute);
      noteOutputRegisters(compute);
      if (compute->hasAttr(kUnrollFactorAttr))
        compute->setAttr(kGivenRegistersAttr, UnitAttr::get(&getContext()));
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
