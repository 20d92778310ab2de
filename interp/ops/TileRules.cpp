//===- TileRules.cpp - rules on blocks and tiles above stage ttkernel ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/TileRules.h"

#include "hw/abi/Inline.h"
#include "hw/abi/ScratchRegisters.h"
#include "hw/tile/TileMath.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/Strips.h"
#include "ir/TTCore/TTCore.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Loads
//===--------------------------------------------------------------------------===//

// Reads a tile that the thread stored into a block that it reserved. The kernel API has
// no function for this read: the lowered code reads a copy of the tile in another buffer.
static hw::Status readBack(Frame &frame, BlockRef block, int64_t index, float *to) {
  const hw::CircularBuffer &ring = block.buffer(frame);
  auto fault = [&](const char *message) {
    return ttl_hw_program_fault(&frame.thread, static_cast<int32_t>(hw::ProgramFault::Assert),
                                message);
  };
  if (index < 0 || block.page + index >= ring.numPages || !ring.holdsTiles)
    return fault("reads a tile that lies outside of its block");
  if (!ring.written[block.page + index])
    return fault("reads a tile of a reserved block that nobody wrote");
  auto page = static_cast<uint32_t>(block.page + index);
  const uint8_t *slot = hw::fast::pageData(frame.thread.l1, ring, page);
  frame.thread.tiles->format(static_cast<hw::DataFormat>(ring.format))
      ->unpack(reinterpret_cast<const std::byte *>(slot), to);
  return hw::Status::Ok;
}

static hw::Status loadTile(Frame &frame, BlockRef block, int64_t index, float *to) {
  if (block.reserved)
    return readBack(frame, block, index, to);
  hw::ScratchRegisters registers(frame.thread, to);
  return ttl_hw_copy_tile(&frame.thread, block.cb, block.pageNumber(frame, index), 0);
}

// Operands: block, index, first tile.
static hw::Status loadStep(const Instruction &inst, Frame &frame, uint32_t tile) {
  setPosition(inst, frame);
  return loadTile(frame, BlockRef::of(frame, inst.operands[0]),
                  inst.operand<int64_t>(frame, 1) + tile, frame.tile(inst.operands[2] + tile));
}

void interp::emitLoad(Operation *op, SlotNumber block, SlotNumber index, TileNumber to,
                      uint32_t count, FunctionCompiler &compiler) {
  emitTileSteps(op, count, loadStep, {block, index, to}, compiler);
}

TileNumber interp::loadOperand(Operation *op, Value value, FunctionCompiler &compiler) {
  auto block = dyn_cast<ttl::BlockType>(value.getType());
  if (!block)
    return compiler.tilesOf(value);
  auto count = static_cast<uint32_t>(block.getTensorType().getNumElements());
  TileNumber first = compiler.temporaryTiles(count);
  SlotNumber start = compiler.constantSlot(Slot::of(int64_t(0)));
  emitLoad(op, compiler.slotOf(value), start, first, count, compiler);
  return first;
}

//===--------------------------------------------------------------------------===//
// Packs
//===--------------------------------------------------------------------------===//

// Operands: block, index, first tile, flag whether to add to the content of the block.
static hw::Status packStep(const Instruction &inst, Frame &frame, uint32_t tile) {
  setPosition(inst, frame);
  hw::KernelThread *thread = &frame.thread;
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  int64_t index = inst.operand<int64_t>(frame, 1) + tile;
  hw::Status status = ttl_hw_pack_reconfig_l1_acc(thread, inst.operand<int32_t>(frame, 3));
  if (status == hw::Status::Ok) {
    hw::ScratchRegisters registers(frame.thread, frame.tile(inst.operands[2] + tile));
    registers.setWritten();
    status = ttl_hw_pack_tile(thread, 0, block.cb, block.pageNumber(frame, index));
  }
  return status == hw::Status::Ok ? ttl_hw_pack_reconfig_l1_acc(thread, 0) : status;
}

void interp::emitPack(Operation *op, TileNumber from, SlotNumber block, SlotNumber index,
                      uint32_t count, Value accumulate, FunctionCompiler &compiler) {
  SlotNumber flag =
      accumulate ? compiler.slotOf(accumulate) : compiler.constantSlot(Slot::of(int32_t(0)));
  emitTileSteps(op, count, packStep, {block, index, from, flag}, compiler);
}

//===--------------------------------------------------------------------------===//
// DST sections before ttl-insert-tile-regs-sync
//===--------------------------------------------------------------------------===//

static hw::Status beginMath(const Instruction &inst, Frame &frame) {
  hw::KernelThread *thread = &frame.thread;
  setPosition(inst, frame);
  if (thread->math)
    return hw::Status::Ok;
  if (thread->pack)
    if (hw::Status status = ttl_hw_tile_regs_release(thread); status != hw::Status::Ok)
      return status;
  return ttl_hw_tile_regs_acquire(thread);
}

static hw::Status beginPack(const Instruction &inst, Frame &frame) {
  hw::KernelThread *thread = &frame.thread;
  setPosition(inst, frame);
  if (!thread->math)
    return hw::Status::Ok;
  if (hw::Status status = ttl_hw_tile_regs_commit(thread); status != hw::Status::Ok)
    return status;
  return ttl_hw_tile_regs_wait(thread);
}

void interp::emitMathSection(Operation *op, FunctionCompiler &compiler) {
  if (!compiler.hasSections())
    compiler.emit(op, beginMath, {});
}

void interp::emitPackSection(Operation *op, FunctionCompiler &compiler) {
  if (!compiler.hasSections())
    compiler.emit(op, beginPack, {});
}

//===--------------------------------------------------------------------------===//
// Tile operations
//===--------------------------------------------------------------------------===//

std::optional<int32_t> interp::registerOf(Value tile) { return ttl::getRegister(tile); }

TileTarget interp::emitTarget(Operation *op, Value tile, FunctionCompiler &compiler) {
  std::optional<int32_t> reg = registerOf(tile);
  if (!reg)
    return {false, compiler.tilesOf(tile)};
  emitMathSection(op, compiler);
  return {true, compiler.constantSlot(Slot::of(*reg))};
}

namespace {
// Computes an op on values by calls on registers. The frame's tiles are the registers: in step k
// of a strip, register n is tile n + k of the frame.
struct OnValues : Detail {
  // If set: the first operand's tiles, which are copied to the result's, where the calls work.
  std::optional<TileNumber> copied;
  TileNumber to = 0;
  Instructions calls;
};
} // namespace

static hw::Status valuesStep(const Instruction &inst, Frame &frame, uint32_t tile) {
  const auto &detail = static_cast<const OnValues &>(*inst.detail);
  if (detail.copied)
    std::memcpy(frame.tile(detail.to + tile), frame.tile(*detail.copied + tile), kTileBytes);
  hw::ScratchRegisters registers(frame.thread, frame.tile(tile), frame.written,
                                 frame.numTiles - tile);
  return runInstructions(detail.calls, frame);
}

namespace {
// Computes an op by calls on registers that must follow each other: copies the operands to them,
// and the result from the first one.
struct OnNeighbours : Detail {
  SmallVector<TileNumber> operands;
  TileNumber registers = 0, to = 0;
  Instructions calls;
};
} // namespace

static hw::Status neighboursStep(const Instruction &inst, Frame &frame, uint32_t tile) {
  const auto &detail = static_cast<const OnNeighbours &>(*inst.detail);
  float *first = frame.tile(detail.registers);
  for (auto [i, operand] : llvm::enumerate(detail.operands))
    std::memcpy(frame.tile(detail.registers + i), frame.tile(operand + tile), kTileBytes);
  hw::ScratchRegisters registers(frame.thread, first, frame.written, detail.operands.size());
  hw::Status status = runInstructions(detail.calls, frame);
  std::memcpy(frame.tile(detail.to + tile), first, kTileBytes);
  return status;
}

static bool isTileOperand(Value value) {
  return isa<ttl::BlockType>(value.getType()) || countTiles(value.getType()) != 0;
}

static llvm::Error compileOnRegisters(Operation *op, ArrayRef<Value> operands, int32_t result,
                                      FunctionCompiler &compiler, RegisterRule rule) {
  SmallVector<SlotNumber> registers;
  for (Value operand : operands) {
    std::optional<int32_t> index = registerOf(operand);
    if (!index)
      return errorAt(op, "'" + op->getName().getStringRef() +
                             "' has a DST register, but one of its operands has none");
    registers.push_back(compiler.constantSlot(Slot::of(*index)));
  }
  registers.push_back(compiler.constantSlot(Slot::of(result)));
  emitMathSection(op, compiler);
  return rule(op, registers, compiler);
}

static llvm::Expected<SmallVector<TileNumber>> loadOperands(Operation *op, ArrayRef<Value> operands,
                                                            FunctionCompiler &compiler) {
  SmallVector<TileNumber> tiles;
  for (Value operand : operands) {
    if (registerOf(operand))
      return errorAt(op, "'" + op->getName().getStringRef() +
                             "' has no DST register, but one of its operands has one");
    tiles.push_back(loadOperand(op, operand, compiler));
  }
  return tiles;
}

// Returns the calls that `rule` emits for registers with these numbers.
static llvm::Expected<Instructions> callsOn(Operation *op, ArrayRef<TileNumber> numbers,
                                            FunctionCompiler &compiler, RegisterRule rule) {
  auto registers = llvm::map_to_vector(numbers, [&](TileNumber number) {
    return compiler.constantSlot(Slot::of(static_cast<int32_t>(number)));
  });
  return compiler.collect([&] { return rule(op, registers, compiler); });
}

static llvm::Error compileOnNeighbours(Operation *op, ArrayRef<TileNumber> tiles,
                                       FunctionCompiler &compiler, RegisterRule rule) {
  auto detail = std::make_unique<OnNeighbours>();
  llvm::append_range(detail->operands, tiles);
  // These tiles hold no value at any time: every step of the strip writes them.
  detail->registers = compiler.workTiles(tiles.size());
  detail->to = compiler.tilesOf(op->getResult(0));
  auto registers = llvm::to_vector(llvm::seq<TileNumber>(0, tiles.size()));
  registers.push_back(0);
  llvm::Expected<Instructions> calls = callsOn(op, registers, compiler, rule);
  if (!calls)
    return calls.takeError();
  detail->calls = std::move(*calls);
  uint32_t count = countTiles(op->getResult(0).getType());
  emitTileSteps(op, count, neighboursStep, {}, compiler).detail = std::move(detail);
  return llvm::Error::success();
}

static llvm::Error compileOnValues(Operation *op, ArrayRef<Value> operands,
                                   FunctionCompiler &compiler, RegisterRule rule, ResultIn where) {
  llvm::Expected<SmallVector<TileNumber>> tiles = loadOperands(op, operands, compiler);
  if (!tiles)
    return tiles.takeError();
  if (where == ResultIn::FirstOfNeighbours)
    return compileOnNeighbours(op, *tiles, compiler, rule);
  auto detail = std::make_unique<OnValues>();
  Value result = op->getResult(0);
  bool isInPlace = where == ResultIn::FirstOperand;
  if (isInPlace && !compiler.takeTiles(op, operands.front(), result))
    detail->copied = tiles->front();
  detail->to = compiler.tilesOf(result);
  if (isInPlace)
    tiles->front() = detail->to;
  tiles->push_back(detail->to);
  llvm::Expected<Instructions> calls = callsOn(op, *tiles, compiler, rule);
  if (!calls)
    return calls.takeError();
  detail->calls = std::move(*calls);
  emitTileSteps(op, countTiles(result.getType()), valuesStep, {}, compiler).detail =
      std::move(detail);
  return llvm::Error::success();
}

llvm::Error interp::compileTileOp(Operation *op, FunctionCompiler &compiler, RegisterRule rule,
                                  ResultIn where) {
  SmallVector<Value> operands =
      llvm::filter_to_vector(op->getOperands(), [](Value value) { return isTileOperand(value); });
  if (std::optional<int32_t> index = registerOf(op->getResult(0)))
    return compileOnRegisters(op, operands, *index, compiler, rule);
  return compileOnValues(op, operands, compiler, rule, where);
}
