//===- BodyTiles.cpp - text that works tile by tile ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A load of a tile, an operation on tiles and a store of a tile change the graph of tiles
// (TileGraph.h) and make no ops of ttl. Ops for a block's tiles are made when the block is needed:
// where it is stored, pushed or read as a whole, and before one of the blocks that it is computed
// from is freed. DST registers are memrefs like others, so what moves through them is not copied.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using d2m::TileForm;

//===--------------------------------------------------------------------------===//
// Blocks and their tiles
//===--------------------------------------------------------------------------===//

Value BodyLowering::ownerOf(Value value) const {
  if (!TileMemrefs::hasTiles(value.getType()))
    return value;
  MemrefPart part = memory.partOf(value);
  return part.isWhole() ? part.memref : value;
}

void BodyLowering::setBlock(Value value, Value block) {
  Value owner = ownerOf(value);
  forget(owner);
  blocks[owner] = block;
}

void BodyLowering::forget(Value memref) {
  blocks.erase(memref);
  memory.tiles.erase(memref);
  unknown.erase(memref);
}

// Returns the expression of these tiles. Reports at `loc` if there is none.
FailureOr<Value> BodyLowering::expressionOf(ArrayRef<TileNumber> tiles, Value memref,
                                            Location loc) {
  std::string why;
  FailureOr<Value> block = graph.asBlock(tiles, memref, loc, builder, why);
  if (succeeded(block) && !*block)
    return emitError(loc) << "this needs a block whose tiles were written one by one, but " << why
                          << "; a block whose tiles are all computed alike is supported";
  return block;
}

Value BodyLowering::blockOf(Value value) {
  Value owner = ownerOf(value);
  auto written = memory.tiles.find(owner);
  if (written == memory.tiles.end())
    return blocks.lookup(owner);
  FailureOr<Value> block = expressionOf(written->second, owner, owner.getLoc());
  if (failed(block)) {
    isBroken = true;
    return {};
  }
  memory.tiles.erase(owner);
  return blocks[owner] = *block;
}

TileNumber BodyLowering::tileAt(Value memref, int64_t place) {
  if (auto written = memory.tiles.find(memref); written != memory.tiles.end())
    return written->second[place];
  Value block = blocks.lookup(memref);
  return block ? graph.stored(block, memref, place) : kNoTile;
}

void BodyLowering::setTile(Value memref, int64_t place, TileNumber tile) {
  int64_t count = cast<ShapedType>(memref.getType()).getNumElements();
  if (!memory.tiles.contains(memref)) {
    std::vector<TileNumber> tiles(count, kNoTile);
    for (int64_t i = 0; i < count; ++i)
      tiles[i] = tileAt(memref, i);
    memory.tiles[memref] = std::move(tiles);
  }
  memory.tiles[memref][place] = tile;
}

FailureOr<Value> BodyLowering::readPart(Value value, Operation *user) {
  MemrefPart part = memory.partOf(value);
  std::vector<TileNumber> tiles;
  SmallVector<int64_t> index(part.shape.size());
  do {
    tiles.push_back(tileAt(part.memref, *part.placeOf(index)));
    if (tiles.back() == kNoTile)
      return user->emitOpError("reads a block before anything is written into it");
  } while (nextIndex(index, part.shape));
  return expressionOf(tiles, value, user->getLoc());
}

bool BodyLowering::nextIndex(MutableArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    if (++index[dim] < shape[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

// Makes expressions of the blocks whose tiles are computed from `block`, which is about to be
// freed. A block of tiles that are not computed alike cannot be read later.
void BodyLowering::settleReadersOf(Value block) {
  SmallVector<Value> readers;
  for (auto &[memref, tiles] : memory.tiles)
    if (llvm::any_of(tiles, [&](TileNumber tile) { return graph.reads(tile, block); }))
      readers.push_back(memref);
  for (Value memref : readers) {
    std::string why;
    FailureOr<Value> expression =
        graph.asBlock(memory.tiles[memref], memref, memref.getLoc(), builder, why);
    memory.tiles.erase(memref);
    if (succeeded(expression) && *expression)
      blocks[memref] = *expression;
    else
      unknown.insert(memref);
    isBroken |= failed(expression);
  }
}

//===--------------------------------------------------------------------------===//
// Loads and stores of tiles
//===--------------------------------------------------------------------------===//

std::optional<int64_t> BodyLowering::knownNumber(Value value) {
  APInt number;
  Value known = numbers.lookupOrNull(value);
  if (matchPattern(known ? known : value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

// Returns the tile of a memref that an access names.
FailureOr<BodyLowering::TilePlace> BodyLowering::placeOf(Operation *op, Value memref, AffineMap map,
                                                         ValueRange operands) {
  SmallVector<Attribute> known, index;
  for (Value operand : operands)
    if (std::optional<int64_t> number = knownNumber(operand))
      known.push_back(builder.getIndexAttr(*number));
  SmallVector<int64_t> place;
  if (known.size() != operands.size() || failed(map.constantFold(known, index)))
    return op->emitOpError(
        "must have indices of tiles that are known at compile time: loop indices "
        "of constant bounds and constants are");
  for (Attribute each : index)
    place.push_back(cast<IntegerAttr>(each).getInt());
  MemrefPart part = memory.partOf(memref);
  std::optional<int64_t> number = part.placeOf(place);
  if (!number)
    return op->emitOpError("accesses a tile outside of its memref: ") << memref.getType();
  return TilePlace{part.memref, *number};
}

LogicalResult BodyLowering::loadTile(Operation *op, Value memref, AffineMap map,
                                     ValueRange operands) {
  FailureOr<TilePlace> place = placeOf(op, memref, map, operands);
  if (failed(place))
    return failure();
  if (unknown.contains(place->memref))
    return op->emitOpError(
        "reads a tile that was computed from a block which was freed since: free "
        "the block later");
  tileValues[op->getResult(0)] = tileAt(place->memref, place->number);
  return success();
}

static bool isRegister(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  auto space = type ? dyn_cast_or_null<ttcore::MemorySpaceAttr>(type.getMemorySpace()) : nullptr;
  return space && space.getValue() == ttcore::MemorySpace::RegisterDst;
}

LogicalResult BodyLowering::storeTile(Operation *op, Value tile, Value memref, AffineMap map,
                                      ValueRange operands) {
  FailureOr<TilePlace> place = placeOf(op, memref, map, operands);
  if (failed(place))
    return failure();
  TileNumber stored = tileValues.lookup(tile);
  if (stored == kNoTile)
    return op->emitOpError("stores a tile that was read before anything was written into it");
  if (accumulatesInL1 && !isRegister(place->memref)) {
    TileNumber before = tileAt(place->memref, place->number);
    OperationName add("d2m.tile_add", op->getContext());
    if (before >= 0)
      stored = graph.apply({add, builder.getDictionaryAttr({}), tile.getType(), op->getLoc()},
                           {before, stored});
  }
  setTile(place->memref, place->number, stored);
  return success();
}

LogicalResult BodyLowering::lowerAccess(Operation *op) {
  auto identity = [&](ValueRange indices) {
    return AffineMap::getMultiDimIdentityMap(indices.size(), op->getContext());
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::LoadOp load) {
        return loadTile(op, load.getMemRef(), identity(load.getIndices()), load.getIndices());
      })
      .Case([&](affine::AffineLoadOp load) {
        return loadTile(op, load.getMemRef(), load.getAffineMap(), load.getMapOperands());
      })
      .Case([&](memref::StoreOp store) {
        return storeTile(op, store.getValueToStore(), store.getMemRef(),
                         identity(store.getIndices()), store.getIndices());
      })
      .Case([&](affine::AffineStoreOp store) {
        return storeTile(op, store.getValueToStore(), store.getMemRef(), store.getAffineMap(),
                         store.getMapOperands());
      })
      .Default([](Operation *) { return failure(); });
}

//===--------------------------------------------------------------------------===//
// Operations
//===--------------------------------------------------------------------------===//

// Returns whether the operand is an accumulator. Nothing need be written into it before the op: it
// then begins as the identity of the operation.
static bool isAccumulator(Operation *op, unsigned operand) {
  auto tile = dyn_cast<d2m::TileOp>(op);
  if (!tile || operand != 2)
    return false;
  TileForm form = tile.getRow().form;
  return form == TileForm::Matmul || form == TileForm::ReduceSum || form == TileForm::ReduceMax;
}

FailureOr<TileNumber> BodyLowering::operandTile(Operation *op, unsigned operand) {
  Value value = op->getOperand(operand);
  if (isNumber(value.getType())) {
    FailureOr<Value> number = numberFor(value, op);
    return failed(number) ? FailureOr<TileNumber>() : graph.number(*number);
  }
  auto known = tileValues.find(value);
  TileNumber tile = known == tileValues.end() ? kNoTile : known->second;
  if (tile == kNoTile && isAccumulator(op, operand))
    return kNoPartial;
  if (tile == kNoTile)
    return op->emitOpError("reads a tile before anything is written into it");
  return tile;
}

LogicalResult BodyLowering::lowerTile(Operation *op) {
  SmallVector<TileNumber> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    FailureOr<TileNumber> tile = operandTile(op, i);
    if (failed(tile))
      return failure();
    operands.push_back(*tile);
  }
  tileValues[op->getResult(0)] = graph.apply(TileOperation::of(op), operands);
  return success();
}

//===--------------------------------------------------------------------------===//
// Blocks, point by point
//===--------------------------------------------------------------------------===//

bool BodyLowering::needsPoints(linalg::GenericOp op) const {
  if (!llvm::all_of(op->getOperands(), [](Value operand) {
        return isNumber(operand.getType()) || TileMemrefs::hasTiles(operand.getType());
      }))
    return false;
  return op.getOutputs().size() != 1 || llvm::any_of(op->getOperands(), [&](Value operand) {
           return !isNumber(operand.getType()) && !memory.partOf(operand).isWhole();
         });
}

SmallVector<int64_t> BodyLowering::extentsOf(linalg::GenericOp op) const {
  SmallVector<int64_t> extents(op.getIteratorTypes().size(), 1);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (TileMemrefs::hasTiles(operand.getType()))
      for (auto [extent, result] :
           llvm::zip(memory.partOf(operand).shape, op.getIndexingMap(i).getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(result))
          extents[dim.getPosition()] = extent;
  return extents;
}

// Returns the tile of an operand at a point.
FailureOr<BodyLowering::TilePlace> BodyLowering::placeAt(linalg::GenericOp op, unsigned operand,
                                                         ArrayRef<int64_t> point) {
  MemrefPart part = memory.partOf(op->getOperand(operand));
  std::optional<int64_t> place = part.placeOf(op.getIndexingMap(operand).compose(point));
  if (!place)
    return op.emitOpError("accesses a tile outside of operand ") << operand;
  return TilePlace{part.memref, *place};
}

// Returns the value of the first step of a reduction whose output was not written: its first tile.
static std::optional<Value> firstOfReduction(linalg::GenericOp op, d2m::TileOp tile) {
  bool reduces = llvm::any_of(llvm::seq<unsigned>(0, op.getIteratorTypes().size()),
                              [&](unsigned i) { return op.isReduction(i); });
  bool combines = tile.getRow().row == hw::TileOp::Add || tile.getRow().row == hw::TileOp::Max;
  for (unsigned i : {0, 1})
    if (auto argument =
            combines && reduces ? dyn_cast<BlockArgument>(tile->getOperand(i)) : BlockArgument())
      if (argument.getArgNumber() >= op.getInputs().size())
        return tile->getOperand(1 - i);
  return std::nullopt;
}

LogicalResult BodyLowering::lowerInPoint(linalg::GenericOp op, Operation &each,
                                         ArrayRef<int64_t> point) {
  if (auto index = dyn_cast<linalg::IndexOp>(each)) {
    numbers.map(index.getResult(), constant(op.getLoc(), point[index.getDim()]));
    return success();
  }
  if (auto tile = dyn_cast<d2m::TileOp>(each))
    if (std::optional<Value> other = firstOfReduction(op, tile)) {
      bool isFirst = llvm::any_of(tile->getOperands(), [&](Value operand) {
        return operand != *other && tileValues.lookup(operand) == kNoTile;
      });
      if (isFirst) {
        tileValues[tile->getResult(0)] = tileValues.lookup(*other);
        return success();
      }
    }
  return lower(each);
}

LogicalResult BodyLowering::lowerPoint(linalg::GenericOp op, ArrayRef<int64_t> point) {
  Block &body = op.getRegion().front();
  SmallVector<TilePlace> places;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Value argument = body.getArgument(i);
    if (isNumber(operand.getType())) {
      FailureOr<Value> number = numberFor(operand, op);
      if (failed(number))
        return failure();
      numbers.map(argument, *number);
      continue;
    }
    FailureOr<TilePlace> place = placeAt(op, i, point);
    if (failed(place))
      return failure();
    tileValues[argument] = tileAt(place->memref, place->number);
    if (i >= op.getInputs().size())
      places.push_back(*place);
  }
  for (Operation &each : body.without_terminator())
    if (failed(lowerInPoint(op, each, point)))
      return failure();
  for (auto [value, place] : llvm::zip(body.back().getOperands(), places)) {
    TileNumber tile = tileValues.lookup(value);
    if (tile == kNoTile)
      return op.emitOpError("yields a tile that was read before anything was written into it");
    setTile(place.memref, place.number, tile);
  }
  return success();
}

LogicalResult BodyLowering::lowerPoints(linalg::GenericOp op) {
  SmallVector<int64_t> extents = extentsOf(op), point(extents.size());
  do {
    if (failed(lowerPoint(op, point)))
      return failure();
  } while (nextIndex(point, extents));
  for (auto [result, output] : llvm::zip(op->getResults(), op.getOutputs()))
    memory.name(result, memory.partOf(output));
  return success();
}

// out[m, n] += a[m, k] * b[k, n] for parts of blocks.
LogicalResult BodyLowering::lowerPoints(d2m::TileMatmulBlockOp op) {
  MemrefPart a = memory.partOf(op.getA()), b = memory.partOf(op.getB()),
             out = memory.partOf(op.getOutput());
  if (op.getTransposeB() || a.shape.size() != 2 || b.shape.size() != 2 || out.shape.size() != 2 ||
      a.shape[1] != b.shape[0] || out.shape[0] != a.shape[0] || out.shape[1] != b.shape[1])
    return op.emitOpError("is supported for parts of blocks if these have two dimensions that fit "
                          "and transpose_b is false");
  Type tile = cast<ShapedType>(op.getOutput().getType()).getElementType();
  TileOperation matmul{OperationName("d2m.tile_matmul", op.getContext()),
                       builder.getDictionaryAttr({}), tile, op.getLoc()};
  SmallVector<int64_t> extents{out.shape[0], out.shape[1], a.shape[1]}, point(3);
  do {
    int64_t place = *out.placeOf({point[0], point[1]});
    TileNumber left = tileAt(a.memref, *a.placeOf({point[0], point[2]})),
               right = tileAt(b.memref, *b.placeOf({point[2], point[1]})),
               before = tileAt(out.memref, place);
    if (left == kNoTile || right == kNoTile)
      return op.emitOpError("reads a tile before anything is written into it");
    setTile(out.memref, place,
            graph.apply(matmul, {left, right, before == kNoTile ? kNoPartial : before}));
  } while (nextIndex(point, extents));
  return success();
}

LogicalResult BodyLowering::copyTiles(Operation *op, Value from, AffineMap fromMap, Value to,
                                      AffineMap toMap) {
  MemrefPart source = memory.partOf(from), target = memory.partOf(to);
  SmallVector<int64_t> extents(target.shape), point(extents.size());
  if (!toMap.isIdentity())
    return op->emitOpError("must have an identity map of the block that it writes");
  do {
    std::optional<int64_t> read = source.placeOf(fromMap.compose(point)),
                           written = target.placeOf(point);
    if (!read || !written)
      return op->emitOpError() << "copies a tile that a block does not have: it reads from "
                               << ttl::shapeText(source.shape) << " tiles and writes to "
                               << ttl::shapeText(target.shape);
    TileNumber tile = tileAt(source.memref, *read);
    if (tile == kNoTile)
      return op->emitOpError("copies a tile before anything is written into it");
    setTile(target.memref, *written, tile);
  } while (nextIndex(point, extents));
  return success();
}

LogicalResult BodyLowering::lower(d2m::LocalCopyOp op) {
  if (!op.getSrc())
    return op.emitOpError("copies from one queue into another one, which is not supported: copy "
                          "blocks in a compute or unified region");
  if (!TileMemrefs::hasTiles(op.getSrc().getType()) ||
      !TileMemrefs::hasTiles(op.getDst().getType()))
    return op.emitOpError("copies blocks that have no tiles, which is not supported");
  auto mapOf = [&](unsigned i) { return cast<AffineMapAttr>(op.getIndexingMaps()[i]).getValue(); };
  if (failed(copyTiles(op, op.getSrc(), mapOf(0), op.getDst(), mapOf(1))))
    return failure();
  if (op->getNumResults())
    memory.name(op->getResult(0), memory.partOf(op.getDst()));
  return success();
}

LogicalResult BodyLowering::lower(memref::CopyOp op) {
  if (!TileMemrefs::hasTiles(op.getSource().getType()))
    return op.emitOpError("copies a memref that has no tiles, which is not supported");
  AffineMap map = AffineMap::getMultiDimIdentityMap(
      cast<ShapedType>(op.getSource().getType()).getRank(), op.getContext());
  return copyTiles(op, op.getSource(), map, op.getTarget(), map);
}

LogicalResult BodyLowering::lower(d2m::SetL1AccumulateOp op) {
  std::optional<int64_t> enable = knownNumber(op.getEnable());
  if (!enable)
    return op.emitOpError("must have a flag that is known at compile time");
  accumulatesInL1 = *enable != 0;
  return success();
}
