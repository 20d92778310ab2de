//===- ComputeBody.cpp - prepares the body of a ttl.compute -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/ComputeBody.h"

#include "passes/dst/TileFacts.h"

#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

void ttjit::hoistNumbers(ttl::ComputeOp compute) {
  auto isTile = [](Type type) { return isa<ttcore::TileType>(type); };
  for (Operation &op : llvm::make_early_inc_range(compute.getBody().front().without_terminator()))
    if (!isa<ttl::AcquireDSTOp, ttl::ReleaseDSTOp>(op) &&
        llvm::none_of(op.getOperandTypes(), isTile) && llvm::none_of(op.getResultTypes(), isTile))
      op.moveBefore(compute);
}

void ttjit::eraseUnusedOps(ttl::ComputeOp compute) {
  // Iterates over the block, not over a range of it: when an op behind the iterator is erased, only
  // the block's own reverse iterators stay valid. The terminator has no results.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(compute.getBody().front())))
    if (op.getNumResults() > 0 && op.use_empty() && !isa<ttl::AcquireDSTOp>(op))
      op.erase();
}

void ttjit::eraseMarkers(ttl::ComputeOp compute) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(compute.getBody().front())))
    if (isa<ttl::RequireDSTOp, ttl::AcquireDSTOp, ttl::ReleaseDSTOp>(op))
      op.erase();
}

//===--------------------------------------------------------------------------===//
// Outputs whose registers stand in the IR
//===--------------------------------------------------------------------------===//

// Returns the DST registers from which the outputs of one tile are packed, ascending.
static SmallVector<int> outputRegisters(ttl::ComputeOp compute) {
  SmallVector<int> registers;
  for (Value output : compute.getBody().front().getTerminator()->getOperands())
    registers.push_back(*ttl::getRegister(output));
  llvm::sort(registers);
  registers.erase(llvm::unique(registers), registers.end());
  return registers;
}

void ttjit::noteOutputRegisters(ttl::ComputeOp compute) {
  if (compute->hasAttr(kUnrollFactorAttr))
    compute->setAttr(kOutputRegistersAttr,
                     DenseI32ArrayAttr::get(compute.getContext(), outputRegisters(compute)));
}

namespace {

LogicalResult checkRegister(ttl::DSTResultOpInterface op, int capacity) {
  std::optional<int> given = op.getRegister();
  if (!given)
    return op.emitError("this operation has no DST register, but other operations of this "
                        "ttl.compute have one: give a register to all, or to none");
  int reg = *given;
  if (reg < 0 || reg >= capacity)
    return op.emitError("expected a DST register from 0 to ") << capacity - 1 << ", found " << reg;
  Value inPlace = inPlaceOperand(op);
  int before = inPlace ? ttl::getRegister(inPlace).value_or(-1) : reg;
  if (before != reg)
    return op.emitError("this operation works in place: expected DST register ")
           << before << " of its operand, found " << reg;
  int paired = needsPair(op) ? ttl::getRegister(op->getOperand(1)).value_or(-1) : reg + 1;
  if (paired != reg + 1)
    return op.emitError(
               "this operation reads its mask from the DST register after its data: expected ")
           << reg + 1 << ", found " << paired;
  return success();
}

// Checks an unrolled section: tile t uses the outputs' registers plus t times their number.
LogicalResult checkUnrolling(ttl::ComputeOp compute, int64_t factor, int capacity) {
  auto refuse = [&] {
    return compute.emitError("cannot compute ")
           << factor << " tiles in one DST section (ttl.unroll_factor) with these registers: ";
  };
  SmallVector<int> outputs = outputRegisters(compute);
  int first = outputs.front(), count = outputs.size();
  if (outputs.back() != first + count - 1)
    return refuse() << "expected the outputs in consecutive registers, found "
                    << llvm::interleaved(outputs).str();
  for (auto op : compute.getBody().front().getOps<ttl::DSTResultOpInterface>()) {
    int reg = *op.getRegister();
    if (reg >= first + count)
      return refuse() << "expected all other values below the outputs, which begin at register "
                      << first << ", found one in register " << reg;
    if (needsPair(op) && (reg >= first) != (reg + 1 >= first))
      return refuse() << "the mask in register " << reg + 1
                      << " would be another one for each tile, but its data "
                      << "in register " << reg << " would not";
  }
  if (first + factor * count > capacity)
    return refuse() << "the tiles need " << first + factor * count << " registers, but there are "
                    << capacity;
  if (readsOtherTilesOfOutputs(compute))
    return refuse()
           << "the compute reads tiles that it packs, but a section reads all of its tiles "
              "before it packs one";
  return success();
}

LogicalResult checkUnrolling(ttl::ComputeOp compute, int capacity) {
  Attribute attribute = compute->getAttr(kUnrollFactorAttr);
  if (!attribute)
    return success();
  auto factor = dyn_cast<IntegerAttr>(attribute);
  if (!factor || !factor.getValue().isSignedIntN(32) || factor.getValue().getSExtValue() < 1)
    return compute.emitError("expected ttl.unroll_factor to be an integer from 1 on, found ")
           << attribute;
  // A section has no more tiles than the compute has.
  int64_t tiles = std::min<int64_t>(factor.getValue().getSExtValue(), numTiles(compute));
  bool unrolls = tiles > 1 && !compute.getOutputs().empty();
  return unrolls ? checkUnrolling(compute, tiles, capacity) : success();
}

LogicalResult checkGiven(ttl::ComputeOp compute, int capacity) {
  for (Operation &op : compute.getBody().front()) {
    if (isa<ttl::SpillTileToL1Op>(op))
      return op.emitError(
          "cannot spill a tile of a ttl.compute whose registers are given: split the "
          "compute there, or leave the registers out");
    bool isLoad = isa<ttl::CopyTileOp>(op);
    for (Value operand : dstOperands(&op))
      if (isa<BlockArgument>(operand) != isLoad)
        return op.emitError(isLoad ? "cannot load a tile that is in DST already"
                                   : "cannot read a tile from DST that no ttl.copy_tile loads");
    auto makesTile = dyn_cast<ttl::DSTResultOpInterface>(op);
    if (makesTile && failed(checkRegister(makesTile, capacity)))
      return failure();
  }
  return checkUnrolling(compute, capacity);
}

LogicalResult checkHasNoLoads(ttl::ComputeOp compute) {
  auto loads = compute.getBody().front().getOps<ttl::CopyTileOp>();
  if (loads.empty())
    return success();
  return (*loads.begin())
      .emitError("cannot load into a DST register here: give a register to every operation of "
                 "this ttl.compute, or leave the load out");
}

} // namespace

LogicalResult ttjit::checkRegisters(ttl::ComputeOp compute, int capacity) {
  return hasRegisters(compute) ? checkGiven(compute, capacity) : checkHasNoLoads(compute);
}
