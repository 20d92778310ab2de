//===- ComputeBody.cpp - the body of a ttl.compute around DST -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/ComputeBody.h"

#include "passes/dst/DSTSchedule.h"

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

void ttjit::dropStatements(ttl::ComputeOp compute) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(compute.getBody().front())))
    if (isa<ttl::RequireDSTOp, ttl::AcquireDSTOp, ttl::ReleaseDSTOp>(op))
      op.erase();
}

namespace {

int64_t registerOf(Operation *op) {
  auto index = op ? op->getAttrOfType<IntegerAttr>("dst_idx") : IntegerAttr();
  return index ? index.getInt() : -1;
}

// What the hardware and the passes after this one rely on.
LogicalResult checkRegister(Operation &op, int capacity) {
  int64_t reg = registerOf(&op);
  if (reg < 0 || reg >= capacity)
    return op.emitError("has no DST register from 0 to ")
           << capacity - 1 << ", but others of this ttl.compute have: give all of them one, or none";
  Value inPlace = inPlaceOperand(&op);
  if (inPlace && registerOf(inPlace.getDefiningOp()) != reg)
    return op.emitError("works in place: expected DST register ")
           << registerOf(inPlace.getDefiningOp()) << " of its operand, found " << reg;
  int64_t paired = needsPair(&op) ? registerOf(op.getOperand(1).getDefiningOp()) : reg + 1;
  if (paired != reg + 1)
    return op.emitError("reads its mask from the DST register after its data: expected ")
           << reg + 1 << ", found " << paired;
  return success();
}

LogicalResult checkGiven(ttl::ComputeOp compute, int capacity) {
  for (Operation &op : compute.getBody().front()) {
    if (isa<ttl::SpillTileToL1Op>(op))
      return op.emitError("spills a tile of a ttl.compute whose registers are given: split the "
                          "compute there, or leave the registers out");
    bool isLoad = isa<ttl::CopyTileOp>(op);
    for (Value operand : dstOperands(&op))
      if (isa<BlockArgument>(operand) != isLoad)
        return op.emitError(isLoad ? "loads a tile that stands in DST already"
                                   : "reads from DST a tile that no ttl.copy_tile loads");
    bool makesTile = op.getNumResults() && isa<ttcore::TileType>(op.getResult(0).getType());
    if (makesTile && failed(checkRegister(op, capacity)))
      return failure();
  }
  return success();
}

LogicalResult checkHasNoLoads(ttl::ComputeOp compute) {
  auto loads = compute.getBody().front().getOps<ttl::CopyTileOp>();
  if (loads.empty())
    return success();
  return (*loads.begin()).emitError("loads into a DST register: give one to every operation of "
                                    "this ttl.compute, or leave the load out");
}

} // namespace

LogicalResult ttjit::checkRegisters(ttl::ComputeOp compute, int capacity) {
  return hasRegisters(compute) ? checkGiven(compute, capacity) : checkHasNoLoads(compute);
}
