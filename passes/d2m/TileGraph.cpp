//===- TileGraph.cpp - tiles that a thread computes one by one ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the tiles of a block were computed one by one, and ttl has expressions on blocks.
//
// 1. Follow the tiles of the block together, from their last operation to the blocks that they are
//    read from. At each step all must be the same operation.
// 2. Where they are read from one block, find the dimension of the result that each dimension of
//    this block follows, or the coordinate that it keeps.
// 3. Write this as a linalg.generic that is in no function, and lower its body (TileBodies.h).
//    An accumulator into which nothing was written is the output of the linalg.generic.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/TileGraph.h"

#include "passes/d2m/TileBodies.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Nodes
//===--------------------------------------------------------------------------===//

TileOperation TileOperation::of(Operation *op) {
  return {op->getName(), op->getAttrDictionary(), op->getResult(0).getType(), op->getLoc()};
}

TileNumber TileGraph::intern(const Key &key, TileNode node) {
  auto [entry, isNew] = known.try_emplace(key, TileNumber(nodes.size()));
  if (isNew)
    nodes.push_back(std::move(node));
  return entry->second;
}

TileNumber TileGraph::stored(Value block, Value memref, int64_t place) {
  TileNode node;
  node.block = block;
  node.memref = memref;
  node.place = place;
  return intern({block.getAsOpaquePointer(), nullptr, nullptr, nullptr, place, {}}, node);
}

TileNumber TileGraph::number(Value value) {
  TileNode node;
  node.number = value;
  return intern({nullptr, value.getAsOpaquePointer(), nullptr, nullptr, 0, {}}, node);
}

TileNumber TileGraph::apply(const TileOperation &operation, ArrayRef<TileNumber> operands) {
  TileNode node;
  node.operation = operation;
  node.operands = operands.vec();
  return intern({nullptr, operation.name.getAsOpaquePointer(),
                 operation.attributes.getAsOpaquePointer(), operation.type.getAsOpaquePointer(), 0,
                 node.operands},
                node);
}

bool TileGraph::reads(TileNumber tile, Value block) const {
  SmallVector<TileNumber> open{tile};
  llvm::DenseSet<TileNumber> seen;
  while (!open.empty()) {
    TileNumber next = open.pop_back_val();
    if (next < 0 || !seen.insert(next).second)
      continue;
    if (nodes[next].block == block)
      return true;
    llvm::append_range(open, nodes[next].operands);
  }
  return false;
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

namespace {

// One value for each tile of the block.
using Tiles = std::vector<TileNumber>;

class BlockOfTiles {
public:
  BlockOfTiles(const TileGraph &graph, Value memref, Location loc, std::string &why)
      : graph(graph), memref(memref), type(cast<ShapedType>(memref.getType())), loc(loc), why(why),
        builder(loc.getContext()), body(std::make_unique<Block>()) {}

  FailureOr<Value> lower(const Tiles &tiles, OpBuilder &into);

private:
  Value follow(const Tiles &tiles);
  Value followAll(const Tiles &tiles, TileNumber first);
  Value followOperation(const Tiles &tiles, const TileNode &like);
  Value followBlock(const Tiles &tiles, const TileNode &like);
  AffineMap mapOf(const Tiles &tiles, ArrayRef<int64_t> shape);
  AffineExpr exprOf(ArrayRef<std::pair<int64_t, int64_t>> places, int64_t extent);
  Operation *finish(Value result);
  Value fail(const Twine &message) {
    if (why.empty())
      why = message.str();
    return {};
  }

  const TileGraph &graph;
  Value memref;
  ShapedType type;
  Location loc;
  std::string &why;
  OpBuilder builder;
  std::unique_ptr<Block> body;
  std::map<Tiles, Value> followed;
  SmallVector<Value> inputs, blocks; // operands, and their blocks
  IRMapping numbers;                 // of the kernel
  SmallVector<Attribute> maps;
  Value output; // the argument of the body
};

} // namespace

static SmallVector<int64_t> coordinatesOf(int64_t place, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape.size());
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    result[dim] = place % shape[dim];
    place /= shape[dim];
  }
  return result;
}

// Returns the dimension of the result, or the constant, that the coordinates follow. `places` has,
// for each tile, its number in the result and the coordinate. Null: neither.
AffineExpr BlockOfTiles::exprOf(ArrayRef<std::pair<int64_t, int64_t>> places, int64_t extent) {
  ArrayRef<int64_t> shape = type.getShape();
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size == extent && extent > 1 && llvm::all_of(places, [&, dim = dim](auto place) {
          return coordinatesOf(place.first, shape)[dim] == place.second;
        }))
      return builder.getAffineDimExpr(dim);
  if (llvm::all_of(places, [&](auto place) { return place.second == places[0].second; }))
    return builder.getAffineConstantExpr(places[0].second);
  return {};
}

AffineMap BlockOfTiles::mapOf(const Tiles &tiles, ArrayRef<int64_t> shape) {
  SmallVector<AffineExpr> results;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    SmallVector<std::pair<int64_t, int64_t>> places;
    for (auto [number, tile] : llvm::enumerate(tiles))
      if (tile >= 0)
        places.push_back({int64_t(number), coordinatesOf(graph.at(tile).place, shape)[dim]});
    AffineExpr expr = exprOf(places, shape[dim]);
    if (!expr)
      return {};
    results.push_back(expr);
  }
  return AffineMap::get(type.getRank(), 0, results, builder.getContext());
}

Value BlockOfTiles::followBlock(const Tiles &tiles, const TileNode &like) {
  for (TileNumber tile : tiles)
    if (tile >= 0 && graph.at(tile).block != like.block)
      return fail("its tiles are read from different blocks");
  AffineMap map = mapOf(tiles, cast<ShapedType>(like.memref.getType()).getShape());
  if (!map)
    return fail("its tiles are read from a block in an order that is not the one of their "
                "dimensions");
  inputs.push_back(like.memref);
  blocks.push_back(like.block);
  maps.push_back(AffineMapAttr::get(map));
  return body->insertArgument(inputs.size() - 1,
                              cast<ShapedType>(like.memref.getType()).getElementType(), loc);
}

Value BlockOfTiles::followOperation(const Tiles &tiles, const TileNode &like) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < like.operands.size(); ++i) {
    Tiles each(tiles.size(), kNoTile);
    for (auto [number, tile] : llvm::enumerate(tiles)) {
      if (tile < 0)
        continue;
      const TileNode &node = graph.at(tile);
      if (!node.operation || node.operation->name != like.operation->name ||
          node.operation->attributes != like.operation->attributes ||
          node.operation->type != like.operation->type)
        return fail("its tiles are results of different operations");
      each[number] = node.operands[i];
    }
    Value operand = follow(each);
    if (!operand)
      return {};
    operands.push_back(operand);
  }
  OperationState state(like.operation->loc, like.operation->name);
  state.addOperands(operands);
  state.addTypes(like.operation->type);
  state.addAttributes(like.operation->attributes.getValue());
  return builder.create(state)->getResult(0);
}

Value BlockOfTiles::followAll(const Tiles &tiles, TileNumber first) {
  const TileNode &like = graph.at(first);
  if (llvm::is_contained(tiles, kNoPartial))
    return fail("some of its tiles continue a partial result and others do not");
  if (like.operation)
    return followOperation(tiles, like);
  if (!like.number)
    return followBlock(tiles, like);
  for (TileNumber tile : tiles)
    if (tile >= 0 && graph.at(tile).number != like.number)
      return fail("its tiles are computed from different numbers");
  numbers.map(like.number, like.number);
  return like.number;
}

// Returns the value of the body that has these tiles.
Value BlockOfTiles::follow(const Tiles &tiles) {
  auto first = llvm::find_if(tiles, [](TileNumber tile) { return tile >= 0; });
  if (first == tiles.end())
    return output; // an accumulator
  if (Value known = followed[tiles])
    return known;
  return followed[tiles] = followAll(tiles, *first);
}

// Returns a linalg.generic that is in no function.
Operation *BlockOfTiles::finish(Value result) {
  linalg::YieldOp::create(builder, loc, ValueRange(result));
  maps.push_back(
      AffineMapAttr::get(AffineMap::getMultiDimIdentityMap(type.getRank(), loc.getContext())));
  SmallVector<Attribute> kinds(type.getRank(), builder.getStringAttr("parallel"));
  OperationState state(loc, linalg::GenericOp::getOperationName());
  linalg::GenericOp::build(builder, state, TypeRange(), inputs, ValueRange(memref),
                           builder.getArrayAttr(maps), builder.getArrayAttr(kinds));
  Operation *op = Operation::create(state);
  op->getRegion(0).push_back(body.release());
  return op;
}

FailureOr<Value> BlockOfTiles::lower(const Tiles &tiles, OpBuilder &into) {
  builder.setInsertionPointToStart(body.get());
  output = body->addArgument(type.getElementType(), loc);
  Value result = follow(tiles);
  if (!result)
    return Value();
  Operation *op = finish(result);
  BodyInputs read{blocks, Value(), &numbers};
  FailureOr<Value> value = lowerTileBody(cast<linalg::GenericOp>(op), read, into);
  op->destroy();
  return value;
}

FailureOr<Value> TileGraph::asBlock(ArrayRef<TileNumber> tiles, Value memref, Location loc,
                                    OpBuilder &builder, std::string &why) const {
  return BlockOfTiles(*this, memref, loc, why).lower(tiles.vec(), builder);
}
