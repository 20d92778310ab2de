//===- Tiles.cpp - tile operations of ttl -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/InlineTiles.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/TileRules.h"

#include "ir/TTL/TTL.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Moving tiles between L1 and registers
//===--------------------------------------------------------------------------===//

// Operands: block, index, register.
static hw::Status runLoadRegister(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  return ttl_hw_copy_tile(&frame.thread, block.cb,
                          block.pageNumber(frame, inst.operand<int64_t>(frame, 1)),
                          inst.operand<int32_t>(frame, 2));
}

// From stage ttkernel on, IR keeps the low 8 bits of an integer that is stored as uint8
// (passes/ttkernel/NarrowIntegers.h). The packer of device numerics would clamp the integer.
static hw::Status packLowBits(hw::KernelThread *thread, int32_t reg, int32_t cb, int32_t page) {
  const float *tile = thread->pack + static_cast<size_t>(reg) * hw::kDstTileElements;
  alignas(64) float low[hw::kDstTileElements];
  std::copy_n(tile, hw::kDstTileElements, low);
  thread->tiles->unary(hw::TileOp::ToUInt8, low);
  hw::ScratchRegisters registers(*thread, low);
  registers.setWritten();
  return ttl_hw_pack_tile(thread, 0, cb, page);
}

// Operands: block, index, register, accumulation flag, whether to keep the low bits for uint8.
static hw::Status packRegister(const Instruction &inst, Frame &frame, BlockRef block) {
  hw::KernelThread *thread = &frame.thread;
  auto reg = inst.operand<int32_t>(frame, 2);
  int32_t page = block.pageNumber(frame, inst.operand<int64_t>(frame, 1));
  bool isByte = block.buffer(frame).format == static_cast<uint8_t>(hw::DataFormat::UInt8);
  bool isWritten =
      thread->pack && static_cast<uint32_t>(reg) < thread->dstCapacity && thread->packWritten[reg];
  if (isByte && isWritten && inst.operand<bool>(frame, 4) && !hw::fast::usesHostNumerics(thread))
    return packLowBits(thread, reg, block.cb, page);
  return ttl_hw_pack_tile(thread, reg, block.cb, page);
}

static hw::Status runPackRegister(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  hw::KernelThread *thread = &frame.thread;
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  auto accumulate = inst.operand<int32_t>(frame, 3);
  if (hw::Status status = ttl_hw_pack_reconfig_l1_acc(thread, accumulate); status != hw::Status::Ok)
    return status;
  hw::Status status = packRegister(inst, frame, block);
  return status == hw::Status::Ok ? ttl_hw_pack_reconfig_l1_acc(thread, 0) : status;
}

static void load(Operation *op, SlotNumber block, SlotNumber index, FunctionCompiler &compiler) {
  if (std::optional<int32_t> reg = registerOf(op->getResult(0))) {
    emitMathSection(op, compiler);
    compiler.emit(op, runLoadRegister, {block, index, compiler.constantSlot(Slot::of(*reg))});
    return;
  }
  emitLoad(op, block, index, compiler.tilesOf(op->getResult(0)), 1, compiler);
}

// Returns whether stores into blocks of two element types read the tile. Stage ttkernel does not
// reduce such a tile to the low bits of uint8.
static bool hasTwoFormats(Value tile) {
  llvm::SmallDenseSet<Type, 2> types;
  for (Operation *user : tile.getUsers())
    if (auto pack = dyn_cast<ttl::PackTileOp>(user))
      types.insert(
          cast<ttl::BlockType>(pack.getBlock().getType()).getTensorType().getElementType());
  return types.size() > 1;
}

void interp::emitPackTile(Operation *op, Value tile, SlotNumber block, SlotNumber index,
                          Value accumulate, FunctionCompiler &compiler) {
  std::optional<int32_t> reg = registerOf(tile);
  if (!reg) {
    emitPack(op, compiler.tilesOf(tile), block, index, 1, accumulate, compiler);
    return;
  }
  emitPackSection(op, compiler);
  SlotNumber flag =
      accumulate ? compiler.slotOf(accumulate) : compiler.constantSlot(Slot::of(int32_t(0)));
  compiler.emit(op, runPackRegister,
                {block, index, compiler.constantSlot(Slot::of(*reg)), flag,
                 compiler.constantSlot(Slot::of(!hasTwoFormats(tile)))});
}

static llvm::Error getTile(ttl::GetTileOp op, FunctionCompiler &compiler) {
  load(op, compiler.slotOf(op.getBlock()), compiler.slotOf(op.getIndex()), compiler);
  return llvm::Error::success();
}

static llvm::Error packTile(ttl::PackTileOp op, FunctionCompiler &compiler) {
  emitPackTile(op, op.getTile(), compiler.slotOf(op.getBlock()), compiler.slotOf(op.getIndex()),
               op.getAccumulate(), compiler);
  return llvm::Error::success();
}

// Operands: block, first index, first register, count.
static hw::Status runPackRegisters(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  auto index = inst.operand<int64_t>(frame, 1);
  auto reg = inst.operand<int32_t>(frame, 2);
  for (int32_t i = 0; i < inst.operand<int32_t>(frame, 3); ++i)
    if (hw::Status status =
            ttl_hw_pack_tile(&frame.thread, reg + i, block.cb, block.pageNumber(frame, index + i));
        status != hw::Status::Ok)
      return status;
  return hw::Status::Ok;
}

static llvm::Error packTileBlock(ttl::PackTileBlockOp op, FunctionCompiler &compiler) {
  std::optional<int32_t> first = registerOf(op.getTiles().front());
  if (!first)
    return errorAt(op, "ttl.pack_tile_block packs DST registers, but its first tile has none");
  emitPackSection(op, compiler);
  compiler.emit(op, runPackRegisters,
                {compiler.slotOf(op.getBlock()), compiler.slotOf(op.getIndex()),
                 compiler.constantSlot(Slot::of(*first)),
                 compiler.constantSlot(Slot::of(static_cast<int32_t>(op.getTiles().size())))});
  return llvm::Error::success();
}

static llvm::Error copyTile(ttl::CopyTileOp op, FunctionCompiler &compiler) {
  llvm::Expected<StoredTile> tile = compiler.storedTile(op, op.getInput());
  if (!tile)
    return tile.takeError();
  load(op, tile->block, tile->index, compiler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Operations on registers
//===--------------------------------------------------------------------------===//

static llvm::Error copyDestValues(Operation *op, ArrayRef<SlotNumber> registers,
                                  FunctionCompiler &compiler) {
  compiler.emit(op, apiHandler<ttl_hw_copy_dest_values>, {registers[1], registers[0]});
  return llvm::Error::success();
}

static llvm::Error fill(Operation *op, ArrayRef<SlotNumber> registers, FunctionCompiler &compiler) {
  compiler.emit(op, apiHandler<ttl_hw_fill_tile>,
                {registers[0], compiler.slotOf(op->getOperand(0))});
  return llvm::Error::success();
}

// Operands: tile to write, tile to copy.
static hw::Status runCopyTile(const Instruction &inst, Frame &frame) {
  std::memcpy(frame.tile(inst.operands[0]), frame.tile(inst.operands[1]), kTileBytes);
  return hw::Status::Ok;
}

// Operands: tile to write, value.
static hw::Status runFill(const Instruction &inst, Frame &frame) {
  std::fill_n(frame.tile(inst.operands[0]), hw::kDstTileElements, inst.operand<float>(frame, 1));
  return hw::Status::Ok;
}

void interp::emitStart(Operation *op, Value from, TileNumber tile, FunctionCompiler &compiler,
                       float start) {
  if (from)
    compiler.emit(op, runCopyTile, {tile, compiler.tilesOf(from)});
  else
    compiler.emit(op, runFill, {tile, compiler.constantSlot(Slot::of(start))});
}

// A register that no op has written in its section counts as +0 when an op adds to it.
static llvm::Error freshTile(ttl::FreshTileOp op, FunctionCompiler &compiler) {
  if (registerOf(op))
    emitMathSection(op, compiler);
  else
    emitStart(op, {}, compiler.tilesOf(op), compiler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Matmul: tiles in L1, added to a register or a value
//===--------------------------------------------------------------------------===//

// Calls a function of the device on two tiles in L1 and a register. The instruction's operands are
// the block of the first tile, its index, the block of the second tile, and its index; the rules
// add more.
template <auto function>
static hw::Status callOnTwo(const Instruction &inst, Frame &frame, int32_t reg) {
  setPosition(inst, frame);
  BlockRef lhs = BlockRef::of(frame, inst.operands[0]), rhs = BlockRef::of(frame, inst.operands[2]);
  return function(&frame.thread, lhs.cb, rhs.cb,
                  lhs.pageNumber(frame, inst.operand<int64_t>(frame, 1)),
                  rhs.pageNumber(frame, inst.operand<int64_t>(frame, 3)), reg);
}

void interp::emitMatmul(Operation *op, StoredTile lhs, StoredTile rhs, Value into,
                        FunctionCompiler &compiler) {
  TileTarget target = emitTarget(op, into, compiler);
  constexpr auto call = callOnTwo<ttl_hw_matmul_tiles>;
  compiler.emit(op, target.isRegister ? runOnRegister<call, 4> : runOnTile<call, 4, true>,
                {lhs.block, lhs.index, rhs.block, rhs.index, target.place});
}

static llvm::Error matmulTiles(ttl::MatmulTilesOp op, FunctionCompiler &compiler) {
  emitMatmul(op, {compiler.slotOf(op.getLhs()), compiler.slotOf(op.getLhsIndex())},
             {compiler.slotOf(op.getRhs()), compiler.slotOf(op.getRhsIndex())}, op.getInto(),
             compiler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Directives about DST for the register allocator
//===--------------------------------------------------------------------------===//

static llvm::Error acquireDST(ttl::AcquireDSTOp op, FunctionCompiler &compiler) {
  compiler.define(op.getResult(), Slot::of(static_cast<int64_t>(op.getIndex().value_or(0))));
  return llvm::Error::success();
}

static llvm::Error spill(ttl::SpillTileToL1Op op, FunctionCompiler &compiler) {
  if (registerOf(op.getTile()))
    return errorAt(op, "a tile can be spilled only before registers are assigned");
  emitStart(op, op.getTile(), compiler.tilesOf(op.getSpilled(), 1), compiler);
  return llvm::Error::success();
}

static llvm::Error restore(ttl::RestoreTileFromL1Op op, FunctionCompiler &compiler) {
  if (!op.getSpilled().getDefiningOp<ttl::SpillTileToL1Op>())
    return errorAt(op, "cannot restore a tile that no ttl.spill_tile_to_l1 stored");
  emitStart(op, op.getSpilled(), compiler.tilesOf(op.getResult()), compiler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Element by element on the matrix engine: tiles in L1, into a register or a value
//===--------------------------------------------------------------------------===//

template <auto function> static Handler fpuHandler(bool isRegister, bool adds) {
  constexpr auto call = callOnTwo<function>;
  if (isRegister)
    return runOnRegister<call, 4>;
  return adds ? runOnTile<call, 4, true> : runOnTile<call, 4, false>;
}

// The product is added to the accumulator. If that is in a register, the result has the same one.
template <typename OpTy>
static void emitFPU(OpTy op, StoredTile lhs, StoredTile rhs, FunctionCompiler &compiler) {
  using Choose = Handler (*)(bool isRegister, bool adds);
  static constexpr Choose handlers[] = {fpuHandler<ttl_hw_add_tiles>, fpuHandler<ttl_hw_sub_tiles>,
                                        fpuHandler<ttl_hw_mul_tiles>};
  TileTarget target = emitTarget(op, op.getResult(), compiler);
  bool adds = op.getAcc() != nullptr;
  if (adds && !target.isRegister)
    emitStart(op, op.getAcc(), target.place, compiler);
  compiler.emit(op, handlers[static_cast<int>(op.getKind())](target.isRegister, adds),
                {lhs.block, lhs.index, rhs.block, rhs.index, target.place});
}

static llvm::Error fpuBinaryTiles(ttl::FPUBinaryTilesOp op, FunctionCompiler &compiler) {
  emitFPU(op, {compiler.slotOf(op.getLhs()), compiler.slotOf(op.getLhsIndex())},
          {compiler.slotOf(op.getRhs()), compiler.slotOf(op.getRhsIndex())}, compiler);
  return llvm::Error::success();
}

static llvm::Error tileFPUBinary(ttl::TileFPUBinaryOp op, FunctionCompiler &compiler) {
  llvm::Expected<StoredTile> lhs = compiler.storedTile(op, op.getLhs());
  if (!lhs)
    return lhs.takeError();
  llvm::Expected<StoredTile> rhs = compiler.storedTile(op, op.getRhs());
  if (!rhs)
    return rhs.takeError();
  emitFPU(op, *lhs, *rhs, compiler);
  return llvm::Error::success();
}

// The tile is in its DST register already: emits only the begin of a DST section.
static llvm::Error dstTile(ttl::DSTTileOp op, FunctionCompiler &compiler) {
  emitMathSection(op, compiler);
  return llvm::Error::success();
}

void interp::addTileOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<GetTileOp, getTile>();
  table.add<PackTileOp, packTile>();
  table.add<CopyTileOp, copyTile>();
  table.add<FreshTileOp, freshTile>();
  table.add<MatmulTilesOp, matmulTiles>();
  table.add<RequireDSTOp>(doNothing);
  table.add<AcquireDSTOp, acquireDST>();
  table.add<ReleaseDSTOp>(doNothing);
  table.add<SpillTileToL1Op, spill>();
  table.add<RestoreTileFromL1Op, restore>();
  table.add<PackTileBlockOp, packTileBlock>();
  table.add<FPUBinaryTilesOp, fpuBinaryTiles>();
  table.add<TileFPUBinaryOp, tileFPUBinary>();
  table.add<DSTTileOp, dstTile>();
  addTileOp<CopyDestValuesOp, copyDestValues, ResultIn::OwnRegister>(table);
  addTileOp<TileFillOp, fill, ResultIn::OwnRegister>(table);
  addTileOp<BlockFillOp, fill, ResultIn::OwnRegister>(table);
}
