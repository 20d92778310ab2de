//===- ComputeRegions.cpp - ttl.compute and regions of block expressions ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The body of a ttl.compute runs once per point of the parallel iterators, in order. Each
// argument refers to a tile in L1: a slot has the tile's number and is set at every point. If
// an op uses the value of an argument and cannot read it from L1, the tile is loaded
// before the body. Only ops that reduce run over the reduction iterators.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/LinearTileNumber.h"
#include "interp/ops/TileRules.h"

#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

// Returns the blocks to which the body's arguments refer: inputs, then outputs.
static SmallVector<Value> blocksOf(ttl::ComputeOp op) {
  SmallVector<Value> blocks = llvm::to_vector(op.getInputs());
  llvm::append_range(blocks, op.getOutputs());
  return blocks;
}

static llvm::Expected<LinearTileNumber> linearTileNumber(ttl::ComputeOp op, unsigned operand,
                                                         FunctionCompiler &compiler) {
  ArrayRef<int64_t> shape = ttl::getBlockShape(blocksOf(op)[operand].getType());
  AffineMap map = op.getIndexingMap(operand);
  std::optional<LinearTileNumber> linear = LinearTileNumber::of(map, shape);
  if (!linear)
    return errorAt(op, "indexing map " + Twine(operand) + " is not linear");
  LinearTileNumber result = std::move(*linear);
  int64_t stride = 1;
  for (auto [expr, extent] : llvm::reverse(llvm::zip_equal(map.getResults(), shape))) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      if (Value offset = op.getOffset(dim.getPosition(), extent))
        result.offsets.push_back({compiler.slotOf(offset), stride});
    stride *= extent;
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// Points of iterators
//===--------------------------------------------------------------------------===//

namespace {
// A body that runs once per point of the iterators `dims`, while the others are 0. Before each
// run, every operand's tile number is set to `base` plus `function` at the point.
struct PointsDetail : Detail {
  struct Operand {
    SlotNumber base, number;
    LinearTileNumber function;
  };
  SmallVector<int64_t> domain;
  SmallVector<unsigned> dims;
  std::vector<Operand> operands;
  Instructions body;
};
} // namespace

static hw::Status runPoints(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const PointsDetail &>(*inst.detail);
  Point point(detail.domain.size(), 0);
  do {
    for (const PointsDetail::Operand &operand : detail.operands)
      frame.set(operand.number,
                frame.get<int64_t>(operand.base) + operand.function.at(point, frame));
    if (hw::Status status = runInstructions(detail.body, frame); status != hw::Status::Ok)
      return status;
  } while (advance(point, detail.domain, detail.dims));
  return hw::Status::Ok;
}

static llvm::Error emitPoints(Operation *op, std::unique_ptr<PointsDetail> detail,
                              FunctionCompiler &compiler,
                              llvm::function_ref<llvm::Error()> emitBody) {
  llvm::Expected<Instructions> body = compiler.collect(emitBody);
  if (!body)
    return body.takeError();
  detail->body = std::move(*body);
  compiler.emit(op, runPoints, {}).detail = std::move(detail);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// ttl.compute
//===--------------------------------------------------------------------------===//

static llvm::Error emitPacks(ttl::ComputeOp op, FunctionCompiler &compiler) {
  Block &body = op.getBody().front();
  unsigned inputs = op.getInputs().size();
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    llvm::Expected<StoredTile> tile = compiler.storedTile(op, body.getArgument(inputs + i));
    if (!tile)
      return tile.takeError();
    emitPackTile(op, value, tile->block, tile->index,
                 op.getAccumulate().empty() ? Value() : op.getAccumulate()[i], compiler);
  }
  return llvm::Error::success();
}

static llvm::Error compileBody(ttl::ComputeOp op, FunctionCompiler &compiler) {
  Block &body = op.getBody().front();
  llvm::Expected<Instructions> calls = compiler.compileBlock(body);
  if (!calls)
    return calls.takeError();
  llvm::Expected<Instructions> packs = compiler.collect([&] { return emitPacks(op, compiler); });
  if (!packs)
    return packs.takeError();
  // Load the arguments that the body uses as values.
  for (BlockArgument argument : body.getArguments())
    if (compiler.isLoaded(argument)) {
      StoredTile tile = llvm::cantFail(compiler.storedTile(op, argument));
      emitLoad(op, tile.block, tile.index, compiler.tilesOf(argument), 1, compiler);
    }
  compiler.append(std::move(*calls));
  compiler.append(std::move(*packs));
  return llvm::Error::success();
}

static llvm::Error compute(ttl::ComputeOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<PointsDetail>();
  detail->domain = op.getIterationDomain();
  for (unsigned i = 0; i < detail->domain.size(); ++i)
    if (!op.isReduction(i))
      detail->dims.push_back(i);
  SlotNumber zero = compiler.constantSlot(Slot::of(int64_t(0)));
  for (auto [i, block] : llvm::enumerate(blocksOf(op))) {
    llvm::Expected<LinearTileNumber> function = linearTileNumber(op, i, compiler);
    if (!function)
      return function.takeError();
    SlotNumber number = compiler.newSlot();
    detail->operands.push_back({zero, number, std::move(*function)});
    compiler.setStoredTile(op.getBody().getArgument(i), {compiler.slotOf(block), number});
  }
  return emitPoints(op, std::move(detail), compiler, [&] { return compileBody(op, compiler); });
}

//===--------------------------------------------------------------------------===//
// Reductions in the body
//===--------------------------------------------------------------------------===//

llvm::Error
interp::emitReduction(Operation *op, ValueRange arguments, FunctionCompiler &compiler,
                      llvm::function_ref<llvm::Error(ArrayRef<StoredTile> tiles)> emitStep) {
  auto region = op->getParentOfType<ttl::ComputeOp>();
  auto detail = std::make_unique<PointsDetail>();
  SmallVector<StoredTile> tiles;
  for (Value argument : arguments) {
    llvm::Expected<StoredTile> tile = compiler.storedTile(op, argument);
    if (!tile)
      return tile.takeError();
    llvm::Expected<LinearTileNumber> function =
        linearTileNumber(region, cast<BlockArgument>(argument).getArgNumber(), compiler);
    if (!function)
      return function.takeError();
    function->constant = 0; // `base`, the tile number at the point, includes it and the offsets
    function->offsets.clear();
    SlotNumber number = compiler.newSlot();
    tiles.push_back({tile->block, number});
    detail->operands.push_back({tile->index, number, std::move(*function)});
  }
  detail->domain = region.getIterationDomain();
  for (unsigned i = 0; i < detail->domain.size(); ++i)
    if (region.isReduction(i) && llvm::any_of(detail->operands, [&](auto &operand) {
          return operand.function.coefficients[i] != 0;
        }))
      detail->dims.push_back(i);
  return emitPoints(op, std::move(detail), compiler, [&] { return emitStep(tiles); });
}

// The sum begins with the accumulator. If it is in a register, the sum has the same register.
static llvm::Error matmul(ttl::TileMatmulOp op, FunctionCompiler &compiler) {
  Value into = op.getResult();
  if (!registerOf(into))
    emitStart(op, op.getAcc(), compiler.tilesOf(into), compiler);
  else if (op.getAcc())
    into = op.getAcc();
  return emitReduction(op, {op.getLhs(), op.getRhs()}, compiler, [&](ArrayRef<StoredTile> tiles) {
    emitMatmul(op, tiles[0], tiles[1], into, compiler);
    return llvm::Error::success();
  });
}

//===--------------------------------------------------------------------------===//
// Regions of block expressions, computed in order
//===--------------------------------------------------------------------------===//

namespace {
struct RegionDetail : Detail {
  Moves enter, leave;
  Instructions body;
};
} // namespace

static hw::Status runRegion(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const RegionDetail &>(*inst.detail);
  runMoves(detail.enter, frame);
  if (hw::Status status = runInstructions(detail.body, frame); status != hw::Status::Ok)
    return status;
  runMoves(detail.leave, frame);
  return hw::Status::Ok;
}

static llvm::Error expressionRegion(Operation *op, ValueRange inputs, ValueRange outputs,
                                    FunctionCompiler &compiler) {
  Block &body = op->getRegion(0).front();
  auto detail = std::make_unique<RegionDetail>();
  detail->enter = compiler.moves(inputs, body.getArguments());
  llvm::Expected<Instructions> calls = compiler.collect([&]() -> llvm::Error {
    llvm::Expected<Instructions> inside = compiler.compileBlock(body);
    if (!inside)
      return inside.takeError();
    compiler.append(std::move(*inside));
    SlotNumber first = compiler.constantSlot(Slot::of(int64_t(0)));
    for (auto [block, value] : llvm::zip(outputs, body.getTerminator()->getOperands()))
      emitPack(op, compiler.tilesOf(value), compiler.slotOf(block), first,
               countTiles(value.getType()), {}, compiler);
    return llvm::Error::success();
  });
  if (!calls)
    return calls.takeError();
  detail->body = std::move(*calls);
  if (outputs.empty())
    detail->leave = compiler.moves(body.getTerminator()->getOperands(), op->getResults());
  compiler.emit(op, runRegion, {}).detail = std::move(detail);
  return llvm::Error::success();
}

static llvm::Error computeRegion(ttl::ComputeRegionOp op, FunctionCompiler &compiler) {
  return expressionRegion(op, op.getInputs(), op.getOutputs(), compiler);
}

static llvm::Error blockCompute(ttl::BlockComputeOp op, FunctionCompiler &compiler) {
  return expressionRegion(op, {}, {}, compiler);
}

void interp::addComputeRegionOps(OpTable &table) {
  table.add<ttl::ComputeRegionOp, computeRegion>();
  table.add<ttl::BlockComputeOp, blockCompute>();
  table.add<ttl::ComputeOp, compute>();
  table.add<ttl::TileMatmulOp, matmul>();
}
