//===- Values.cpp - blocks and tiles above stage ttkernel -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/Values.h"

#include "hw/abi/Inline.h"
#include "hw/abi/ScratchRegisters.h"
#include "hw/tile/TileMath.h"
#include "interp/ops/ApiCall.h"
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
// no such call: the lowering reads a copy in another buffer.
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

// Operands: block, index, first tile, count.
static hw::Status runLoad(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  auto index = inst.operand<int64_t>(frame, 1);
  for (uint32_t i = 0; i < inst.operands[3]; ++i)
    if (hw::Status status = loadTile(frame, block, index + i, frame.tile(inst.operands[2] + i));
        status != hw::Status::Ok)
      return status;
  return hw::Status::Ok;
}

void interp::emitLoad(Operation *op, SlotNumber block, SlotNumber index, TileNumber to,
                      uint32_t count, FunctionCompiler &compiler) {
  compiler.emit(op, runLoad, {block, index, to, count});
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

// Operands: block, index, first tile, count, flag.
static hw::Status runPack(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  hw::KernelThread *thread = &frame.thread;
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  auto index = inst.operand<int64_t>(frame, 1);
  auto accumulate = inst.operand<int32_t>(frame, 4);
  hw::Status status = ttl_hw_pack_reconfig_l1_acc(thread, accumulate);
  for (uint32_t i = 0; i < inst.operands[3] && status == hw::Status::Ok; ++i) {
    hw::ScratchRegisters registers(frame.thread, frame.tile(inst.operands[2] + i));
    registers.setWritten();
    status = ttl_hw_pack_tile(thread, 0, block.cb, block.pageNumber(frame, index + i));
  }
  return status == hw::Status::Ok ? ttl_hw_pack_reconfig_l1_acc(thread, 0) : status;
}

void interp::emitPack(Operation *op, TileNumber from, SlotNumber block, SlotNumber index,
                      uint32_t count, Value accumulate, FunctionCompiler &compiler) {
  SlotNumber flag =
      accumulate ? compiler.slotOf(accumulate) : compiler.constantSlot(Slot::of(int32_t(0)));
  compiler.emit(op, runPack, {block, index, from, count, flag});
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
/// Makes calls on registers for `count` tiles. The tiles of the frame are the registers: register
/// n is tile n in the first round, tile n + 1 in the second.
struct OnValues : Detail {
  /// The first operand's tiles, if they must be copied to the result's, in which the calls work.
  std::optional<TileNumber> copied;
  TileNumber to = 0;
  uint32_t count = 1;
  Instructions calls;
};
} // namespace

static hw::Status runOnValues(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const OnValues &>(*inst.detail);
  for (uint32_t i = 0; i < detail.count; ++i) {
    if (detail.copied)
      std::memcpy(frame.tile(detail.to + i), frame.tile(*detail.copied + i), kTileBytes);
    hw::ScratchRegisters registers(frame.thread, frame.tile(i), frame.written, frame.numTiles - i);
    if (hw::Status status = runInstructions(detail.calls, frame); status != hw::Status::Ok)
      return status;
  }
  return hw::Status::Ok;
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

static llvm::Error compileOnValues(Operation *op, ArrayRef<Value> operands,
                                   FunctionCompiler &compiler, RegisterRule rule, ResultIn where) {
  SmallVector<TileNumber> tiles;
  for (Value operand : operands) {
    if (registerOf(operand))
      return errorAt(op, "'" + op->getName().getStringRef() +
                             "' has no DST register, but one of its operands has one");
    tiles.push_back(loadOperand(op, operand, compiler));
  }
  auto detail = std::make_unique<OnValues>();
  Value result = op->getResult(0);
  detail->count = countTiles(result.getType());
  bool isInPlace = where == ResultIn::FirstOperand;
  if (isInPlace && !compiler.takeTiles(op, operands.front(), result))
    detail->copied = tiles.front();
  detail->to = compiler.tilesOf(result);
  if (isInPlace)
    tiles.front() = detail->to;
  tiles.push_back(detail->to);
  auto registers = llvm::map_to_vector(tiles, [&](TileNumber tile) {
    return compiler.constantSlot(Slot::of(static_cast<int32_t>(tile)));
  });
  llvm::Expected<Instructions> calls =
      compiler.collect([&] { return rule(op, registers, compiler); });
  if (!calls)
    return calls.takeError();
  detail->calls = std::move(*calls);
  compiler.emit(op, runOnValues, {}).detail = std::move(detail);
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
