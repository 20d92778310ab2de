//===- Reductions.cpp - reductions, broadcasts, transposes --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rules for reductions, broadcasts and transposes at three levels: on block
// expressions, whose tiles are values of the frame; in the body of a ttl.compute, where
// they read tiles in L1; and in loops.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/TileRules.h"

#include "hw/facts/ReduceKind.h"
#include "hw/tile/TileMath.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

// Returns the TileDims for dimensions of a tile: 0 is the rows, 1 the innermost.
static hw::TileDims tileDims(ArrayRef<int64_t> dims) {
  return dims.size() == 2 ? hw::TileDims::Scalar
         : dims[0] == 1   ? hw::TileDims::Row
                          : hw::TileDims::Col;
}

//===--------------------------------------------------------------------------===//
// Reductions of block expressions
//===--------------------------------------------------------------------------===//

namespace {
// The steps that combine input tiles. The steps of one result tile follow each other: they run
// over the reduced dimensions, the last one fastest. The result's tiles are in row-major order.
// The reduction and the scaling, if there is one, are the same for all.
struct MapDetail : Detail {
  TileNumber from, to;
  std::optional<TileNumber> scaling;
  SmallVector<uint32_t> tiles; // tiles of the input, `steps` of them for each tile of the result
  uint32_t steps = 1;
  hw::TileDims dims = hw::TileDims::Row;
  hw::Pool pool = hw::Pool::Sum;
};

// Runs `visit` with the coordinates of every point of a box.
template <typename Visit> void forEachPoint(ArrayRef<int64_t> extents, Visit visit) {
  SmallVector<int64_t> at(extents.size(), 0);
  for (int64_t count = llvm::product_of(extents); count > 0; --count) {
    visit(ArrayRef<int64_t>(at));
    for (size_t i = at.size(); i-- > 0 && ++at[i] == extents[i];)
      at[i] = 0;
  }
}
} // namespace

static SmallVector<uint32_t> inputTiles(ttl::BlockFromL1OpInterface op) {
  ArrayRef<int64_t> result = ttl::getBlockShape(op->getResult(0).getType());
  ArrayRef<int64_t> input = ttl::getBlockShape(op->getOperand(0).getType());
  unsigned iterators = result.size() + op.getNumReductions();
  AffineMap map = op.getOperandMap(0, result.size(), iterators);
  SmallVector<int64_t> domain(result);
  domain.resize(iterators, 1);
  for (auto [expr, extent] : llvm::zip(map.getResults(), input))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      domain[dim.getPosition()] = extent;
  SmallVector<uint32_t> tiles;
  forEachPoint(domain, [&](ArrayRef<int64_t> at) {
    int64_t number = 0;
    for (auto [expr, extent] : llvm::zip(map.getResults(), input)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      number = number * extent +
               (dim ? at[dim.getPosition()] : cast<AffineConstantExpr>(expr).getValue());
    }
    tiles.push_back(static_cast<uint32_t>(number));
  });
  return tiles;
}

static llvm::Error emitMapped(ttl::BlockFromL1OpInterface op, Handler handler,
                              std::unique_ptr<MapDetail> detail, FunctionCompiler &compiler) {
  detail->from = loadOperand(op, op->getOperand(0), compiler);
  if (op->getNumOperands() > 1)
    detail->scaling = loadOperand(op, op->getOperand(1), compiler);
  detail->to = compiler.tilesOf(op->getResult(0));
  detail->tiles = inputTiles(op);
  detail->steps = detail->tiles.size() / countTiles(op->getResult(0).getType());
  compiler.emit(op, handler, {}).detail = std::move(detail);
  return llvm::Error::success();
}

static hw::Status runReduce(const Instruction &inst, Frame &frame) {
  const auto &op = static_cast<const MapDetail &>(*inst.detail);
  float one = op.pool == hw::Pool::Sum || op.pool == hw::Pool::Max ? 1.0f : std::bit_cast<float>(1);
  float scaling = op.scaling ? frame.tile(*op.scaling)[0] : one;
  for (uint32_t i = 0; i < op.tiles.size(); ++i)
    frame.thread.tiles->reduce(op.pool, op.dims, frame.tile(op.from + op.tiles[i]), scaling,
                               frame.tile(op.to + i / op.steps), i % op.steps == 0);
  return hw::Status::Ok;
}

static hw::Status runBroadcast(const Instruction &inst, Frame &frame) {
  const auto &op = static_cast<const MapDetail &>(*inst.detail);
  for (uint32_t i = 0; i < op.tiles.size(); ++i)
    frame.thread.tiles->broadcast(op.dims, frame.tile(op.from + op.tiles[i]),
                                  frame.tile(op.to + i));
  return hw::Status::Ok;
}

static hw::Status runCopies(const Instruction &inst, Frame &frame) {
  const auto &op = static_cast<const MapDetail &>(*inst.detail);
  for (uint32_t i = 0; i < op.tiles.size(); ++i)
    std::memcpy(frame.tile(op.to + i), frame.tile(op.from + op.tiles[i]), kTileBytes);
  return hw::Status::Ok;
}

static hw::Status runTranspose(const Instruction &inst, Frame &frame) {
  const auto &op = static_cast<const MapDetail &>(*inst.detail);
  for (uint32_t i = 0; i < op.tiles.size(); ++i)
    frame.thread.tiles->transpose(frame.tile(op.from + op.tiles[i]), frame.tile(op.to + i));
  return hw::Status::Ok;
}

// Returns those of `dims` that are dimensions of the tile: the block's two innermost, as 0 and 1.
static SmallVector<int64_t> innerDims(ArrayRef<int64_t> dims, Value block) {
  int64_t leading = static_cast<int64_t>(ttl::getBlockShape(block.getType()).size()) - 2;
  SmallVector<int64_t> inner;
  for (int64_t dim : dims)
    if (dim >= leading)
      inner.push_back(dim - leading);
  return inner;
}

template <typename OpTy, hw::Pool pool>
static llvm::Error blockReduce(OpTy op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<MapDetail>();
  ttcore::DataType type = ttl::getComputedType(op.getInput().getType());
  bool isFloat = type == ttcore::DataType::Float32;
  detail->pool = isFloat ? pool : hw::integerPool(pool, type == ttcore::DataType::Int32);
  detail->dims = tileDims(innerDims(op.getDims(), op.getInput()));
  return emitMapped(op, runReduce, std::move(detail), compiler);
}

static llvm::Error blockBcast(ttl::BlockBcastOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<MapDetail>();
  SmallVector<int64_t> dims = innerDims(op.getDims(), op.getInput());
  if (dims.empty())
    return emitMapped(op, runCopies, std::move(detail), compiler);
  detail->dims = tileDims(dims);
  return emitMapped(op, runBroadcast, std::move(detail), compiler);
}

static llvm::Error blockTranspose(ttl::BlockTransposeOp op, FunctionCompiler &compiler) {
  return emitMapped(op, runTranspose, std::make_unique<MapDetail>(), compiler);
}

static llvm::Error blockView(ttl::BlockViewOp op, FunctionCompiler &compiler) {
  return emitMapped(op, runCopies, std::make_unique<MapDetail>(), compiler);
}

//===--------------------------------------------------------------------------===//
// Reductions of tiles in L1
//===--------------------------------------------------------------------------===//

// Operands: blocks and indices of data and scaling, register (or tile), kind of
// reduction.
static hw::Status runReduceTile(const Instruction &inst, Frame &frame, int32_t reg) {
  setPosition(inst, frame);
  BlockRef data = BlockRef::of(frame, inst.operands[0]);
  BlockRef scaling = BlockRef::of(frame, inst.operands[2]);
  return ttl_hw_reduce_tile(&frame.thread, data.cb, scaling.cb,
                            data.pageNumber(frame, inst.operand<int64_t>(frame, 1)),
                            scaling.pageNumber(frame, inst.operand<int64_t>(frame, 3)), reg,
                            inst.operand<int32_t>(frame, 5));
}

static void emitReduceTile(Operation *op, hw::Pool pool, ArrayRef<int64_t> dims, StoredTile data,
                           StoredTile scaling, Value into, FunctionCompiler &compiler) {
  TileTarget target = emitTarget(op, into, compiler);
  int32_t kind = hw::ReduceKind{pool, tileDims(dims)}.number();
  compiler.emit(
      op, target.isRegister ? runOnRegister<runReduceTile, 4> : runOnTile<runReduceTile, 4, true>,
      {data.block, data.index, scaling.block, scaling.index, target.place,
       compiler.constantSlot(Slot::of(kind))});
}

static llvm::Error reduceTile(ttl::ReduceTileOp op, FunctionCompiler &compiler) {
  emitReduceTile(op, op.getType() == ttl::ReduceType::Sum ? hw::Pool::Sum : hw::Pool::Max,
                 op.getDims(), {compiler.slotOf(op.getInput()), compiler.slotOf(op.getIndex())},
                 {compiler.slotOf(op.getScaling()), compiler.slotOf(op.getScalingIndex())},
                 op.getInto(), compiler);
  return llvm::Error::success();
}

// The result begins with the accumulator. If it is in a register, the result has the same one.
template <typename OpTy, hw::Pool pool>
static llvm::Error tileReduce(OpTy op, FunctionCompiler &compiler) {
  Value into = op.getResult();
  if (!registerOf(into))
    emitStart(op, op.getAcc(), compiler.tilesOf(into), compiler, op.getStart());
  else if (op.getAcc())
    into = op.getAcc();
  return emitReduction(op, {op.getInput(), op.getScaling()}, compiler,
                       [&](ArrayRef<StoredTile> tiles) {
                         emitReduceTile(op, pool, op.getDims(), tiles[0], tiles[1], into, compiler);
                         return llvm::Error::success();
                       });
}

//===--------------------------------------------------------------------------===//
// Broadcasts and transposes of tiles in L1
//===--------------------------------------------------------------------------===//

// Operands: block, index, register (or tile), dimensions, or -1 to transpose.
static hw::Status runMoveTile(const Instruction &inst, Frame &frame, int32_t reg) {
  setPosition(inst, frame);
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  int32_t page = block.pageNumber(frame, inst.operand<int64_t>(frame, 1));
  auto dims = inst.operand<int32_t>(frame, 3);
  if (dims < 0)
    return ttl_hw_transpose_wh_tile(&frame.thread, block.cb, page, reg);
  return ttl_hw_unary_bcast(&frame.thread, block.cb, page, reg, dims);
}

static void emitMove(Operation *op, StoredTile tile, int32_t dims, FunctionCompiler &compiler) {
  TileTarget target = emitTarget(op, op->getResult(0), compiler);
  compiler.emit(
      op, target.isRegister ? runOnRegister<runMoveTile, 2> : runOnTile<runMoveTile, 2, false>,
      {tile.block, tile.index, target.place, compiler.constantSlot(Slot::of(dims))});
}

static llvm::Error moveStored(Operation *op, int32_t dims, FunctionCompiler &compiler) {
  llvm::Expected<StoredTile> tile = compiler.storedTile(op, op->getOperand(0));
  if (!tile)
    return tile.takeError();
  emitMove(op, *tile, dims, compiler);
  return llvm::Error::success();
}

static llvm::Error tileBcast(ttl::TileBcastOp op, FunctionCompiler &compiler) {
  return moveStored(op, static_cast<int32_t>(tileDims(op.getDims())), compiler);
}
static llvm::Error tileTranspose(ttl::TileTransposeOp op, FunctionCompiler &compiler) {
  return moveStored(op, -1, compiler);
}
static llvm::Error bcastTile(ttl::BcastTileOp op, FunctionCompiler &compiler) {
  emitMove(op, {compiler.slotOf(op.getBlock()), compiler.slotOf(op.getIndex())},
           static_cast<int32_t>(tileDims(op.getDims())), compiler);
  return llvm::Error::success();
}
static llvm::Error transposeTile(ttl::TransposeTileOp op, FunctionCompiler &compiler) {
  emitMove(op, {compiler.slotOf(op.getBlock()), compiler.slotOf(op.getIndex())}, -1, compiler);
  return llvm::Error::success();
}

void interp::addReductionOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<BlockReduceSumOp, blockReduce<BlockReduceSumOp, hw::Pool::Sum>>();
  table.add<BlockReduceMaxOp, blockReduce<BlockReduceMaxOp, hw::Pool::Max>>();
  table.add<BlockBcastOp, blockBcast>();
  table.add<BlockTransposeOp, blockTranspose>();
  table.add<BlockViewOp, blockView>();
  table.add<TileReduceSumOp, tileReduce<TileReduceSumOp, hw::Pool::Sum>>();
  table.add<TileReduceMaxOp, tileReduce<TileReduceMaxOp, hw::Pool::Max>>();
  table.add<TileBcastOp, tileBcast>();
  table.add<TileTransposeOp, tileTranspose>();
  table.add<ReduceTileOp, reduceTile>();
  table.add<BcastTileOp, bcastTile>();
  table.add<TransposeTileOp, transposeTile>();
}
