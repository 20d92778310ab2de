//===- TileValues.cpp - block expressions over an iteration space -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/TileValues.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

RankedTensorType TileExpressions::typeOf(ArrayRef<int64_t> iterators, Type like) const {
  SmallVector<int64_t> shape;
  for (int64_t iterator : iterators)
    shape.push_back(iterator < 0 ? 1 : extents[iterator]);
  return ttl::getBlockTensorType(builder.getContext(), shape, ttl::getComputedType(like));
}

Value TileExpressions::view(Value value, AffineMap map, RankedTensorType type) {
  if (map.isIdentity() && value.getType() == type)
    return value;
  return ttl::BlockViewOp::create(builder, loc, type, value, AffineMapAttr::get(map));
}

//===--------------------------------------------------------------------------===//
// Iterators
//===--------------------------------------------------------------------------===//

TileValue TileExpressions::read(Value block, AffineMap map) {
  TileValue result;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      result.iterators.push_back(dim.getPosition());
  SmallVector<AffineExpr> coordinates;
  unsigned next = 0;
  for (AffineExpr expr : map.getResults())
    coordinates.push_back(isa<AffineDimExpr>(expr) ? builder.getAffineDimExpr(next++) : expr);
  if (next == map.getNumResults()) {
    result.value = block;
    return result;
  }
  AffineMap toBlock = AffineMap::get(next, 0, coordinates, builder.getContext());
  result.value = view(block, toBlock, typeOf(result.iterators, block.getType()));
  return result;
}

Value TileExpressions::arrange(const TileValue &value, ArrayRef<int64_t> iterators) {
  if (ArrayRef(value.iterators) == iterators)
    return value.value;
  SmallVector<AffineExpr> coordinates;
  for (int64_t iterator : value.iterators) {
    const int64_t *found = llvm::find(iterators, iterator);
    coordinates.push_back(found == iterators.end()
                              ? builder.getAffineConstantExpr(0)
                              : builder.getAffineDimExpr(found - iterators.begin()));
  }
  AffineMap map = AffineMap::get(iterators.size(), 0, coordinates, builder.getContext());
  return view(value.value, map, typeOf(iterators, value.value.getType()));
}

TileValue TileExpressions::at(const TileValue &value, ArrayRef<int64_t> over, int64_t point) {
  llvm::DenseMap<int64_t, int64_t> places;
  for (int64_t iterator : llvm::reverse(over)) {
    places[iterator] = point % extents[iterator];
    point /= extents[iterator];
  }
  TileValue result;
  SmallVector<AffineExpr> coordinates;
  for (int64_t iterator : value.iterators) {
    if (auto place = places.find(iterator); place != places.end()) {
      coordinates.push_back(builder.getAffineConstantExpr(place->second));
      continue;
    }
    coordinates.push_back(builder.getAffineDimExpr(result.iterators.size()));
    result.iterators.push_back(iterator);
  }
  while (result.iterators.size() < 2)
    result.iterators.push_back(-1);
  AffineMap map = AffineMap::get(result.iterators.size(), 0, coordinates, builder.getContext());
  result.value = view(value.value, map, typeOf(result.iterators, value.value.getType()));
  return result;
}

Value TileExpressions::fill(Value number, ArrayRef<int64_t> iterators, Type like) {
  return ttl::BlockFillOp::create(builder, loc, typeOf(iterators, like), number);
}

SmallVector<int64_t> TileExpressions::unite(ArrayRef<TileValue> values,
                                            SmallVectorImpl<Value> &blocks) {
  SmallVector<int64_t> iterators;
  const TileValue *widest = nullptr;
  for (const TileValue &value : values) {
    if (value.isNumber)
      continue;
    if (!widest || value.iterators.size() > widest->iterators.size())
      widest = &value;
  }
  if (widest)
    iterators = widest->iterators;
  for (const TileValue &value : values)
    for (int64_t iterator : value.iterators)
      if (!llvm::is_contained(iterators, iterator))
        iterators.push_back(iterator);
  for (const TileValue &value : values)
    blocks.push_back(value.isNumber
                         ? fill(value.value, iterators, widest ? widest->value.getType() : Type())
                         : arrange(value, iterators));
  return iterators;
}

//===--------------------------------------------------------------------------===//
// Rows and columns of tiles
//===--------------------------------------------------------------------------===//

// Broadcasts within tiles. The two innermost dimensions of a block include the rows and columns of
// its tiles. To work on each tile alone, puts a dimension of extent 1 there.
TileValue TileExpressions::broadcast(const TileValue &value, bool rows, bool columns) {
  SmallVector<int64_t> own(value.iterators), dims;
  if (!columns) // [.., a, b] as [.., a, 1, b]
    own.insert(own.end() - (own.empty() ? 0 : 1), -1);
  else
    own.append(rows ? 2 : 1, -1);
  while (own.size() < 2)
    own.insert(own.begin(), -1);
  if (rows)
    dims.push_back(own.size() - 2);
  if (columns)
    dims.push_back(own.size() - 1);
  Value block = arrange(value, own);
  TileValue result;
  result.value = ttl::BlockBcastOp::create(builder, loc, typeOf(own, block.getType()), block,
                                           builder.getDenseI64ArrayAttr(dims));
  result.iterators = own;
  result.value = arrange(result, value.iterators);
  result.iterators = value.iterators;
  return result;
}

TileValue TileExpressions::transpose(const TileValue &value) {
  if (value.iterators.size() > 2)
    return {};
  SmallVector<int64_t> own(value.iterators);
  own.insert(own.begin(), 2 - own.size(), -1);
  Value block = arrange(value, {own[1], own[0]});
  TileValue result;
  result.iterators = own;
  result.value = ttl::BlockTransposeOp::create(builder, loc, typeOf(own, block.getType()), block);
  result.value = arrange(result, value.iterators);
  result.iterators = value.iterators;
  return result;
}

TileValue TileExpressions::reduce(bool sum, const TileValue &value, Value scaling, bool rows,
                                  bool columns, ArrayRef<int64_t> over) {
  // The dimensions of the block: those that stay, then the one of rows, then the one of columns.
  SmallVector<int64_t> kept;
  for (int64_t iterator : value.iterators)
    if (!llvm::is_contained(over, iterator))
      kept.push_back(iterator);
  SmallVector<int64_t> own = kept, dims, reduced(over.begin(), over.end());
  unsigned inner = unsigned(rows) + unsigned(columns);
  if (reduced.size() > inner)
    return {};
  while (reduced.size() < inner)
    reduced.push_back(-1);
  if (rows && !columns) { // rows is the dimension before the last one
    int64_t last = own.empty() ? -1 : own.pop_back_val();
    own.append({reduced[0], last});
    dims = {int64_t(own.size()) - 2};
  } else {
    own.append(reduced.begin(), reduced.end());
    while (own.size() < 2)
      own.insert(own.begin(), -1);
    for (unsigned i = inner; i > 0; --i)
      dims.push_back(own.size() - i);
  }
  Value block = arrange(value, own);
  SmallVector<int64_t> shape(ttl::getBlockShape(typeOf(own, block.getType())));
  for (int64_t dim : dims) {
    shape[dim] = 1;
    own[dim] = -1;
  }
  auto type =
      ttl::getBlockTensorType(builder.getContext(), shape, ttl::getComputedType(block.getType()));
  TileValue result;
  auto dimsAttr = builder.getDenseI64ArrayAttr(dims);
  result.value =
      sum ? ttl::BlockReduceSumOp::create(builder, loc, type, block, scaling, dimsAttr).getResult()
          : ttl::BlockReduceMaxOp::create(builder, loc, type, block, scaling, dimsAttr).getResult();
  result.iterators = own;
  result.value = arrange(result, kept);
  result.iterators = kept;
  return result;
}
