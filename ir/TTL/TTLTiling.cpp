//===- TTLTiling.cpp - windows and tiling of ttl.compute ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tile of a ttl.compute is the same op with a window. The blocks stay whole, so
// nothing is sliced and every pass still finds the acquire of each block. Sizes are
// constants, since DST registers depend on them.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// Windows
//===--------------------------------------------------------------------------===//

void ComputeOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs,
                      ValueRange outputs, ValueRange accumulate, ArrayAttr indexingMaps,
                      ArrayAttr iteratorTypes) {
  build(builder, state, inputs, outputs, accumulate, indexingMaps, iteratorTypes,
        /*offsets=*/ValueRange(), /*window=*/DenseI64ArrayAttr());
}

SmallVector<int64_t> ComputeOp::getWholeDomain() {
  SmallVector<int64_t> extents(getIteratorTypes().size(), 1);
  SmallVector<Value> operands = llvm::to_vector(getInputs());
  llvm::append_range(operands, getOutputs());
  for (auto [i, operand] : llvm::enumerate(operands))
    for (auto [expr, extent] :
         llvm::zip(getIndexingMap(i).getResults(), getBlockShape(operand.getType())))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        extents[dim.getPosition()] = std::max(extents[dim.getPosition()], extent);
  return extents;
}

SmallVector<int64_t> ComputeOp::getIterationDomain() {
  if (std::optional<ArrayRef<int64_t>> window = getWindow())
    return llvm::to_vector(*window);
  return getWholeDomain();
}

Value ComputeOp::getOffset(unsigned iterator, int64_t extent) {
  std::optional<ArrayRef<int64_t>> window = getWindow();
  return window && extent > (*window)[iterator] ? getOffsets()[iterator] : Value();
}

void ComputeOp::setWindow(ValueRange offsets, ArrayRef<int64_t> sizes) {
  getOffsetsMutable().assign(offsets);
  setWindowAttr(DenseI64ArrayAttr::get(getContext(), sizes));
}

//===--------------------------------------------------------------------------===//
// TilingInterface
//===--------------------------------------------------------------------------===//

SmallVector<utils::IteratorType> ComputeOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> types;
  for (unsigned i = 0; i < getIteratorTypes().size(); ++i)
    types.push_back(isReduction(i) ? utils::IteratorType::reduction
                                   : utils::IteratorType::parallel);
  return types;
}

// Returns the ranges of the iterators. They start at 0, also for a window: tiling passes offsets
// relative to the window.
SmallVector<Range> ComputeOp::getIterationDomain(OpBuilder &builder) {
  return llvm::map_to_vector(getIterationDomain(), [&](int64_t extent) {
    return Range{builder.getIndexAttr(0), builder.getIndexAttr(extent), builder.getIndexAttr(1)};
  });
}

// Returns whether an operand holds only this op's window: offsets into the whole do not fit it.
static bool hasLocalOperand(ComputeOp op) {
  SmallVector<int64_t> whole = op.getWholeDomain();
  SmallVector<Value> operands = llvm::to_vector(op.getInputs());
  llvm::append_range(operands, op.getOutputs());
  for (auto [i, operand] : llvm::enumerate(operands))
    for (auto [expr, extent] :
         llvm::zip(op.getIndexingMap(i).getResults(), getBlockShape(operand.getType())))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && extent != whole[dim.getPosition()])
        return true;
  return false;
}

FailureOr<TilingResult> ComputeOp::getTiledImplementation(OpBuilder &builder,
                                                          ArrayRef<OpFoldResult> offsets,
                                                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> domain = getIterationDomain(), window;
  if (hasLocalOperand(*this))
    return emitOpError("cannot be tiled, because an operand contains only the window of this op");
  for (auto [i, size] : llvm::enumerate(sizes)) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    if (!constant)
      return emitOpError("cannot be tiled by sizes that are not constant: the tile sizes must "
                         "divide the extents, and iterator ")
             << i << " has extent " << domain[i];
    if (isReduction(i) && *constant != domain[i])
      return emitOpError("cannot be tiled along a reduction, which is iterator ") << i;
    window.push_back(*constant);
  }
  auto tile = cast<ComputeOp>(builder.clone(*getOperation()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(tile);
  SmallVector<Value> starts = getValueOrCreateConstantIndexOp(builder, getLoc(), offsets);
  for (auto [start, own] : llvm::zip(starts, getOffsets()))
    start = builder.createOrFold<arith::AddIOp>(getLoc(), own, start);
  tile.setWindow(starts, window);
  return TilingResult{{tile}, {}, {}};
}
