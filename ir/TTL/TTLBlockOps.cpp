//===- TTLBlockOps.cpp - verifiers and methods of block expressions -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "hw/facts/Assert.h"
#include "hw/facts/Words.h"
#include "ir/TTL/TTLElementwiseOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#include "ir/TTL/TTLComputeInterfaces.cpp.inc"

static bool isBlockOperand(Value value) {
  return isa<BlockType, RankedTensorType>(value.getType());
}

static ArrayRef<int64_t> shapeOf(Value value) { return getBlockShape(value.getType()); }

static Type tileOf(Value expression) {
  return cast<RankedTensorType>(expression.getType()).getElementType();
}

// Adds a read effect for each operand that is a block; tensors are values without
// effects.
static void addBlockReads(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<BlockType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

//===--------------------------------------------------------------------------===//
// Rows of the operation table
//===--------------------------------------------------------------------------===//

// Verifies every element-wise block op: all shapes must be equal.
static LogicalResult verifySameShapes(Operation *op) {
  ArrayRef<int64_t> result = shapeOf(op->getResult(0));
  for (Value operand : op->getOperands())
    if (isBlockOperand(operand) && shapeOf(operand) != result)
      return op->emitOpError("operands and result must have the same shape: operand has ")
             << shapeText(shapeOf(operand)) << ", result has " << shapeText(result);
  return success();
}

#define TTL_BLOCK_ROWS(Kind)                                                                       \
  LogicalResult Block##Kind##Op::verify() { return verifySameShapes(*this); }                      \
  void Block##Kind##Op::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {      \
    addBlockReads(*this, effects);                                                                 \
  }
TTL_BLOCK_ROWS(Unary)
TTL_BLOCK_ROWS(UnaryParam)
TTL_BLOCK_ROWS(UnaryInt)
TTL_BLOCK_ROWS(Binary)
TTL_BLOCK_ROWS(Ternary)
TTL_BLOCK_ROWS(Mask)
#undef TTL_BLOCK_ROWS

//===--------------------------------------------------------------------------===//
// ttl.block_store
//===--------------------------------------------------------------------------===//

LogicalResult BlockStoreOp::verify() {
  ArrayRef<int64_t> dst = shapeOf(getDst()), src = shapeOf(getSrc());
  if (dst != src)
    return emitOpError("cannot store a value of shape ")
           << shapeText(src) << " into a block of shape " << shapeText(dst);
  if (!getDst().getType().getCircularBuffer().isTiled())
    return emitOpError("cannot store tiles into a block of scalars");
  return success();
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

void BlockMatmulOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addBlockReads(*this, effects);
}

// Returns the leading dimensions of the product of these operands; nothing if an extent differs and
// neither of the two is 1.
static std::optional<SmallVector<int64_t>> leadingDims(ArrayRef<int64_t> lhs,
                                                       ArrayRef<int64_t> rhs) {
  lhs = lhs.drop_back(2);
  rhs = rhs.drop_back(2);
  SmallVector<int64_t> result(lhs.size() < rhs.size() ? rhs : lhs);
  for (ArrayRef<int64_t> operand : {lhs, rhs}) {
    size_t absent = result.size() - operand.size();
    for (auto [i, extent] : llvm::enumerate(operand)) {
      int64_t &common = result[absent + i];
      if (extent != common && extent != 1 && common != 1)
        return std::nullopt;
      common = std::max(common, extent);
    }
  }
  return result;
}

LogicalResult BlockMatmulOp::verify() {
  ArrayRef<int64_t> lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs()), result = shapeOf(getResult());
  if (lhs.size() < 2 || rhs.size() < 2)
    return emitOpError("the operands of a matrix product must have rank 2 or more, found shapes ")
           << shapeText(lhs) << " and " << shapeText(rhs);
  if (lhs.back() != rhs[rhs.size() - 2])
    return emitOpError("the inner extents of a matrix product must be equal, found ")
           << shapeText(lhs) << " @ " << shapeText(rhs);
  std::optional<SmallVector<int64_t>> expected = leadingDims(lhs, rhs);
  if (!expected)
    return emitOpError("the leading extents of a matrix product must be equal or 1, found ")
           << shapeText(lhs) << " @ " << shapeText(rhs);
  expected->append({lhs[lhs.size() - 2], rhs.back()});
  if (result != ArrayRef<int64_t>(*expected))
    return emitOpError("the result of ")
           << shapeText(lhs) << " @ " << shapeText(rhs) << " must have shape "
           << shapeText(*expected) << ", found " << shapeText(result);
  if (getAcc() && shapeOf(getAcc()) != result)
    return emitOpError("the accumulator has shape ")
           << shapeText(shapeOf(getAcc())) << ", but the result has shape " << shapeText(result);
  return success();
}

bool BlockMatmulOp::isReadFromL1(unsigned operand) { return operand < 2; }
unsigned BlockMatmulOp::getNumReductions() { return 1; }

AffineMap BlockMatmulOp::getOperandMap(unsigned operand, unsigned firstReduction,
                                       unsigned numIterators) {
  Builder builder(getContext());
  ArrayRef<int64_t> shape = shapeOf(getOperand(operand));
  unsigned rank = shapeOf(getResult()).size(), absent = rank - shape.size();
  SmallVector<AffineExpr> indices;
  for (auto [i, extent] : llvm::enumerate(shape.drop_back(2)))
    indices.push_back(extent == 1 ? builder.getAffineConstantExpr(0)
                                  : builder.getAffineDimExpr(absent + i));
  AffineExpr k = builder.getAffineDimExpr(firstReduction);
  indices.push_back(operand == 0 ? builder.getAffineDimExpr(rank - 2) : k);
  indices.push_back(operand == 0 ? k : builder.getAffineDimExpr(rank - 1));
  return AffineMap::get(numIterators, 0, indices, getContext());
}

Value BlockMatmulOp::createTileOp(OpBuilder &builder, ValueRange tiles) {
  return TileMatmulOp::create(builder, getLoc(), tileOf(getResult()), tiles[0], tiles[1],
                              tiles.size() > 2 ? tiles[2] : Value(), IntegerAttr());
}

//===--------------------------------------------------------------------------===//
// Reductions and broadcasts
//===--------------------------------------------------------------------------===//

static LogicalResult verifyDims(Operation *op, ArrayRef<int64_t> dims, size_t rank) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= static_cast<int64_t>(rank))
      return op->emitOpError("dims must be ascending numbers from 0 to ")
             << rank - 1 << " for a block of rank " << rank << ", found " << shapeText(dims);
    previous = dim;
  }
  if (dims.empty())
    return op->emitOpError("dims must name at least one dimension");
  return success();
}

// Checks that `narrow` has extent 1 in `dims`, and the extents of `wide` in other
// dimensions.
static LogicalResult verifyNarrow(Operation *op, ArrayRef<int64_t> narrow, ArrayRef<int64_t> wide,
                                  ArrayRef<int64_t> dims, StringRef what) {
  if (narrow.size() != wide.size())
    return op->emitOpError("operand and result must have the same rank, found shapes ")
           << shapeText(shapeOf(op->getOperand(0))) << " and "
           << shapeText(shapeOf(op->getResult(0)));
  for (auto [i, extent] : llvm::enumerate(narrow)) {
    bool named = llvm::is_contained(dims, static_cast<int64_t>(i));
    if (extent != (named ? 1 : wide[i]))
      return op->emitOpError() << what << " has extent " << extent << " in dimension " << i
                               << ", expected " << (named ? 1 : wide[i]);
  }
  return success();
}

// Returns those of `dims` that are dimensions of the tile, for a block of that rank.
static SmallVector<int64_t> tileDims(ArrayRef<int64_t> dims, size_t rank) {
  SmallVector<int64_t> inner;
  for (int64_t dim : dims)
    if (dim + 2 >= static_cast<int64_t>(rank))
      inner.push_back(dim + 2 - rank);
  return inner;
}

template <typename OpTy> static LogicalResult verifyReduction(OpTy op) {
  ArrayRef<int64_t> input = shapeOf(op.getInput());
  if (failed(verifyDims(op, op.getDims(), input.size())) ||
      failed(verifyNarrow(op, shapeOf(op.getResult()), input, op.getDims(), "result")))
    return failure();
  if (tileDims(op.getDims(), input.size()).empty())
    return op.emitOpError("must reduce at least one of the two innermost dimensions");
  return success();
}

// Returns the map of an operand. Each reduced dimension is an iterator of its own, in the order of
// `dims`. The map of the scaling operand is constant, since only its first tile is read.
template <typename OpTy>
static AffineMap reductionMap(OpTy op, unsigned operand, unsigned firstReduction,
                              unsigned numIterators) {
  Builder builder(op.getContext());
  SmallVector<AffineExpr> indices;
  unsigned next = firstReduction;
  for (size_t i = 0; i < shapeOf(op->getOperand(operand)).size(); ++i) {
    if (operand > 0)
      indices.push_back(builder.getAffineConstantExpr(0));
    else
      indices.push_back(builder.getAffineDimExpr(
          llvm::is_contained(op.getDims(), static_cast<int64_t>(i)) ? next++ : i));
  }
  return AffineMap::get(numIterators, 0, indices, op.getContext());
}

template <typename TileOp, typename OpTy>
static Value createTileReduction(OpTy op, OpBuilder &builder, ValueRange tiles) {
  TTJIT_ASSERT(tiles.size() == 2, "a reduction has a scaling tile");
  return TileOp::create(
      builder, op.getLoc(), tileOf(op.getResult()), tiles[0], tiles[1], Value(),
      builder.getDenseI64ArrayAttr(tileDims(op.getDims(), shapeOf(op.getInput()).size())),
      IntegerAttr());
}

#define TTL_BLOCK_REDUCTION(Name)                                                                  \
  LogicalResult BlockReduce##Name##Op::verify() { return verifyReduction(*this); }                 \
  void BlockReduce##Name##Op::getEffects(                                                          \
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {                                   \
    addBlockReads(*this, effects);                                                                 \
  }                                                                                                \
  bool BlockReduce##Name##Op::isReadFromL1(unsigned) { return true; }                              \
  unsigned BlockReduce##Name##Op::getNumReductions() { return getDims().size(); }                  \
  AffineMap BlockReduce##Name##Op::getOperandMap(unsigned operand, unsigned firstReduction,        \
                                                 unsigned numIterators) {                          \
    return reductionMap(*this, operand, firstReduction, numIterators);                             \
  }                                                                                                \
  Value BlockReduce##Name##Op::createTileOp(OpBuilder &builder, ValueRange tiles) {                \
    return createTileReduction<TileReduce##Name##Op>(*this, builder, tiles);                       \
  }
TTL_BLOCK_REDUCTION(Sum)
TTL_BLOCK_REDUCTION(Max)
#undef TTL_BLOCK_REDUCTION

void BlockBcastOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addBlockReads(*this, effects);
}

LogicalResult BlockBcastOp::verify() {
  ArrayRef<int64_t> input = shapeOf(getInput());
  if (failed(verifyDims(*this, getDims(), input.size())))
    return failure();
  return verifyNarrow(*this, input, shapeOf(getResult()), getDims(), "operand");
}

bool BlockBcastOp::isReadFromL1(unsigned) { return true; }
unsigned BlockBcastOp::getNumReductions() { return 0; }

AffineMap BlockBcastOp::getOperandMap(unsigned, unsigned, unsigned numIterators) {
  Builder builder(getContext());
  SmallVector<AffineExpr> indices;
  for (size_t i = 0; i < shapeOf(getInput()).size(); ++i)
    indices.push_back(llvm::is_contained(getDims(), static_cast<int64_t>(i))
                          ? builder.getAffineConstantExpr(0)
                          : builder.getAffineDimExpr(i));
  return AffineMap::get(numIterators, 0, indices, getContext());
}

// Creates the broadcast within a tile. Leading dimensions need none: the map replicates tiles.
Value BlockBcastOp::createTileOp(OpBuilder &builder, ValueRange tiles) {
  SmallVector<int64_t> dims = tileDims(getDims(), shapeOf(getInput()).size());
  if (dims.empty())
    return tiles[0];
  return TileBcastOp::create(builder, getLoc(), tileOf(getResult()), tiles[0], dims, IntegerAttr());
}

//===--------------------------------------------------------------------------===//
// Transposes
//===--------------------------------------------------------------------------===//

void BlockTransposeOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addBlockReads(*this, effects);
}

LogicalResult BlockTransposeOp::verify() {
  ArrayRef<int64_t> input = shapeOf(getInput()), result = shapeOf(getResult());
  if (input.size() != 2)
    return emitOpError("can only transpose a block of rank 2, found shape ") << shapeText(input);
  if (result != ArrayRef<int64_t>({input[1], input[0]}))
    return emitOpError("the transpose of a block of shape ")
           << shapeText(input) << " must have shape " << shapeText({input[1], input[0]})
           << ", found " << shapeText(result);
  return success();
}

bool BlockTransposeOp::isReadFromL1(unsigned) { return true; }
unsigned BlockTransposeOp::getNumReductions() { return 0; }

AffineMap BlockTransposeOp::getOperandMap(unsigned, unsigned, unsigned numIterators) {
  Builder builder(getContext());
  return AffineMap::get(numIterators, 0, {builder.getAffineDimExpr(1), builder.getAffineDimExpr(0)},
                        getContext());
}

Value BlockTransposeOp::createTileOp(OpBuilder &builder, ValueRange tiles) {
  return TileTransposeOp::create(builder, getLoc(), tileOf(getResult()), tiles[0], IntegerAttr());
}

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

void BlockViewOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addBlockReads(*this, effects);
}

LogicalResult BlockViewOp::verify() {
  ArrayRef<int64_t> input = shapeOf(getInput()), result = shapeOf(getResult());
  AffineMap map = getMap();
  if (map.getNumSymbols() != 0 || map.getNumDims() != result.size() ||
      map.getNumResults() != input.size())
    return emitOpError("map must lead from ")
           << ttjit::hw::plural(result.size(), "coordinate") << " to " << input.size() << ", found "
           << getMapAttr();
  if (getComputedType(getInput().getType()) != getComputedType(getResult().getType()))
    return emitOpError("operand and result must be computed in one type, found ")
           << getInput().getType() << " and " << getResult().getType();
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!dim && !constant)
      return emitOpError("map must have only coordinates and constants, found ") << getMapAttr();
    if (dim && result[dim.getPosition()] != input[i])
      return emitOpError("extents differ: dimension ")
             << i << " of the operand has " << input[i] << ", dimension " << dim.getPosition()
             << " of the result " << result[dim.getPosition()];
    if (constant && (constant.getValue() < 0 || constant.getValue() >= input[i]))
      return emitOpError("coordinate ") << constant.getValue() << " is outside dimension " << i
                                        << " of the operand, which has " << input[i];
  }
  return success();
}

bool BlockViewOp::isReadFromL1(unsigned) { return true; }
unsigned BlockViewOp::getNumReductions() { return 0; }

AffineMap BlockViewOp::getOperandMap(unsigned, unsigned, unsigned numIterators) {
  return AffineMap::get(numIterators, 0, getMap().getResults(), getContext());
}

Value BlockViewOp::createTileOp(OpBuilder &, ValueRange tiles) { return tiles[0]; }
