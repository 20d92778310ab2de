//===- TileRules.h - rules on blocks and tiles above stage ttkernel -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions for the rules of ops on blocks and tiles. The slot of a block holds the
// page in its buffer's ring at which it begins, so a thread may hold several blocks
// without counting them. A tile is a DST register if its op has `dst_idx`, else a value
// of the frame; the same calls of the kernel API compute both.
//
// To add an op on tiles or blocks, write a RegisterRule that emits the API calls for
// given registers, and register it with addTileOp for the ttl.tile_ and the ttl.block_
// op. addTileOp handles DST registers, values and blocks. An op that reads L1 asks
// FunctionCompiler::storedTile for its operands (see Tiles.cpp).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_TILERULES_H
#define TTJIT_INTERP_OPS_TILERULES_H

#include "hw/abi/ScratchRegisters.h"
#include "interp/FunctionCompiler.h"
#include "interp/ops/BlockRef.h"
#include "ir/Nodes/GridLayout.h"

namespace ttjit::interp {

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

/// Reads `count` tiles of a block, beginning with the one in slot `index`, into tiles
/// of the frame.
void emitLoad(mlir::Operation *op, SlotNumber block, SlotNumber index, TileNumber to,
              uint32_t count, FunctionCompiler &compiler);

/// Returns the tiles of an operand of `op`, the op being compiled; loads them if it is
/// a block.
TileNumber loadOperand(mlir::Operation *op, mlir::Value value, FunctionCompiler &compiler);

/// Packs tiles of the frame into a block. `accumulate` may be null.
void emitPack(mlir::Operation *op, TileNumber from, SlotNumber block, SlotNumber index,
              uint32_t count, mlir::Value accumulate, FunctionCompiler &compiler);

//===--------------------------------------------------------------------------===//
// Nodes
//===--------------------------------------------------------------------------===//

/// Computes the number in the kernel's grid of the node that runs on a core.
struct NodeNumbers {
  GridLayout layout;
  llvm::SmallVector<int64_t> grid;

  NodeNumbers() = default;
  explicit NodeNumbers(const ThreadSource &thread)
      : layout(layoutGrid(thread.grid, thread.arch)), grid(thread.grid) {}

  /// The row-major number of this node.
  int64_t here(const Frame &frame) const {
    int64_t x = frame.thread.x, y = frame.thread.y;
    return layout.direct ? x * grid[1] + y : y * layout.columns + x;
  }
};

//===--------------------------------------------------------------------------===//
// Tiles
//===--------------------------------------------------------------------------===//

/// The DST register of a tile, if one is assigned.
std::optional<int32_t> registerOf(mlir::Value tile);

/// The place to which an op writes its tile: the slot with a register's number, or a
/// tile of the frame.
struct TileTarget {
  bool isRegister;
  uint32_t place;
};
/// Returns the target of `tile`. If it is a register, first begins a DST section for
/// math, unless ops of the IR begin the sections.
TileTarget emitTarget(mlir::Operation *op, mlir::Value tile, FunctionCompiler &compiler);

/// Handlers that run `call`. runOnRegister: on the register whose number is in slot `operand`.
/// runOnTile: on the tile with that number, as if it were register 0. `written`: it has a content.
template <auto call, int operand> hw::Status runOnRegister(const Instruction &inst, Frame &frame) {
  return call(inst, frame, inst.operand<int32_t>(frame, operand));
}
template <auto call, int operand, bool written>
hw::Status runOnTile(const Instruction &inst, Frame &frame) {
  hw::ScratchRegisters registers(frame.thread, frame.tile(inst.operands[operand]));
  if (written)
    registers.setWritten();
  return call(inst, frame, 0);
}

/// Before a call that needs a DST section: begins one for math, or switches the current
/// one to packing. Math after a pack begins a new section. Emits nothing if ops of the IR do this.
void emitMathSection(mlir::Operation *op, FunctionCompiler &compiler);
void emitPackSection(mlir::Operation *op, FunctionCompiler &compiler);

/// Packs a tile, which is a register or a value, into tile `index` of a block.
void emitPackTile(mlir::Operation *op, mlir::Value tile, SlotNumber block, SlotNumber index,
                  mlir::Value accumulate, FunctionCompiler &compiler);

/// Adds the product of two tiles in L1 to the tile `into`, which is a register or a
/// value.
void emitMatmul(mlir::Operation *op, StoredTile lhs, StoredTile rhs, mlir::Value into,
                FunctionCompiler &compiler);

/// Gives a tile of the frame its start value before other tiles are combined with it: a
/// copy of `from`, or `start` if `from` is null.
void emitStart(mlir::Operation *op, mlir::Value from, TileNumber tile, FunctionCompiler &compiler,
               float start = 0.0f);

/// For an op in the body of a ttl.compute that reduces: runs the calls that `emitStep`
/// emits for the tiles of `arguments`, once for each point of the reduction iterators
/// on which these arguments depend, ascending, the last one fastest.
llvm::Error
emitReduction(mlir::Operation *op, mlir::ValueRange arguments, FunctionCompiler &compiler,
              llvm::function_ref<llvm::Error(llvm::ArrayRef<StoredTile> tiles)> emitStep);

/// Emits the calls of one tile operation. The slots hold the registers of its tiles:
/// operands first, the result last.
using RegisterRule = llvm::Error (*)(mlir::Operation *, llvm::ArrayRef<SlotNumber> registers,
                                     FunctionCompiler &);

/// The register of the result: that of the first operand, or one of its own. FirstOfNeighbours is
/// like FirstOperand, but the registers of the operands must have successive numbers.
enum class ResultIn : uint8_t { FirstOperand, OwnRegister, FirstOfNeighbours };

llvm::Error compileTileOp(mlir::Operation *op, FunctionCompiler &compiler, RegisterRule rule,
                          ResultIn result);

/// Adds a rule for a ttl op on tiles, blocks or block expressions. `rule` handles
/// operands of other types itself.
template <typename OpTy, RegisterRule rule, ResultIn result> void addTileOp(OpTable &table) {
  table.add<OpTy>([](mlir::Operation *op, FunctionCompiler &compiler) {
    return compileTileOp(op, compiler, rule, result);
  });
}

/// Emits `condition ? a : b` for block expressions.
void emitSelect(mlir::Operation *op, FunctionCompiler &compiler);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_TILERULES_H
