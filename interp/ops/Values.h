//===- Values.h - blocks and tiles above stage ttkernel -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// How the ops of ttl see blocks and tiles. A block's slot says where in the ring
// of its buffer it begins, so that blocks held together need no bookkeeping. A
// tile is a DST register where its op has `dst_idx`, else a value of the frame;
// both are computed by the same calls of the kernel API.
//
// To add an op on tiles or blocks: write a RegisterRule that emits the API calls
// for given registers and register it for the ttl.tile_ and the ttl.block_ op
// with addTileOp; DST, values and blocks follow. An op that reads L1 asks
// FunctionCompiler::storedTile for its operands (see Tiles.cpp).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_VALUES_H
#define TTJIT_INTERP_OPS_VALUES_H

#include "hw/abi/ScratchRegisters.h"
#include "interp/FunctionCompiler.h"
#include "ir/Support/GridLayout.h"

namespace ttjit::interp {

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

/// The content of a slot of type !ttl.block.
struct BlockRef {
  uint32_t page = 0; ///< its first page, from the start of the buffer
  uint16_t cb = 0;
  bool reserved = false; ///< else waited for

  static BlockRef of(const Frame &frame, SlotNumber slot) {
    auto bits = frame.get<uint64_t>(slot);
    return {static_cast<uint32_t>(bits), static_cast<uint16_t>(bits >> 32), (bits >> 48 & 1) != 0};
  }
  uint64_t bits() const { return page | uint64_t(cb) << 32 | uint64_t(reserved) << 48; }

  hw::CircularBuffer &buffer(const Frame &frame) const { return frame.thread.buffers[cb]; }
  /// Number of page `index` of the block, counted as the kernel API does: from the
  /// front, or from the beginning of what is reserved. Negative where the buffer's
  /// end lies in between.
  int32_t pageNumber(const Frame &frame, int64_t index) const {
    const hw::CircularBuffer &ring = buffer(frame);
    return static_cast<int32_t>(page + index - (reserved ? ring.writePage : ring.readPage));
  }
  /// In L1, of page `index`.
  uint32_t address(const Frame &frame, int64_t index) const {
    const hw::CircularBuffer &ring = buffer(frame);
    return ring.address + static_cast<uint32_t>(page + index) * ring.pageBytes;
  }
};

/// Reads `count` tiles of a block, from the one in slot `index` on, into tiles of
/// the frame.
void emitLoad(mlir::Operation *op, SlotNumber block, SlotNumber index, TileNumber to,
              uint32_t count, FunctionCompiler &compiler);

/// The tiles of an operand of `op`, which is being compiled; a block is loaded first.
TileNumber loadOperand(mlir::Operation *op, mlir::Value value, FunctionCompiler &compiler);

/// Packs tiles of the frame into a block. `accumulate` may be null.
void emitPack(mlir::Operation *op, TileNumber from, SlotNumber block, SlotNumber index,
              uint32_t count, mlir::Value accumulate, FunctionCompiler &compiler);

//===--------------------------------------------------------------------------===//
// Nodes
//===--------------------------------------------------------------------------===//

/// Which node of the kernel's grid a core is.
struct NodeNumbers {
  GridLayout layout;
  llvm::SmallVector<int64_t> grid;

  NodeNumbers() = default;
  explicit NodeNumbers(const ThreadSource &thread)
      : layout(layoutGrid(thread.grid, thread.arch)), grid(thread.grid) {}

  /// This node's row-major number.
  int64_t here(const Frame &frame) const {
    int64_t x = frame.thread.x, y = frame.thread.y;
    return layout.direct ? x * grid[1] + y : y * layout.columns + x;
  }
};

//===--------------------------------------------------------------------------===//
// Tiles
//===--------------------------------------------------------------------------===//

/// The DST register of a tile, once assigned.
std::optional<int32_t> registerOf(mlir::Value tile);

/// Where an op puts its tile: the slot of a register's number, or a tile of the frame.
struct TileTarget {
  bool isRegister;
  uint32_t place;
};
/// Begins a DST section for math, if the tile is a register and the IR does not say so.
TileTarget emitTarget(mlir::Operation *op, mlir::Value tile, FunctionCompiler &compiler);

/// Handlers that run `call` on the register in the operand slot of that number, or on
/// the tile in it as if it were a register; `written`: one that has a content.
template <auto call, int operand> hw::Status runOnRegister(const Instruction &inst, Frame &frame) {
  return call(inst, frame, inst.operand<int32_t>(frame, operand));
}
template <auto call, int operand, bool written>
hw::Status runOnTile(const Instruction &inst, Frame &frame) {
  hw::ScratchRegisters registers(frame.thread, frame.tile(inst.operands[operand]), 1);
  if (written)
    registers.setWritten(0);
  return call(inst, frame, 0);
}

/// Where the IR does not say so, begins a DST section for math, or turns to its
/// packing, before a call that needs it. What follows a pack begins a new one.
void emitMathSection(mlir::Operation *op, FunctionCompiler &compiler);
void emitPackSection(mlir::Operation *op, FunctionCompiler &compiler);

/// Packs a tile, register or value, into tile `index` of a block.
void emitPackTile(mlir::Operation *op, mlir::Value tile, SlotNumber block, SlotNumber index,
                  mlir::Value accumulate, FunctionCompiler &compiler);

/// Adds the product of two tiles in L1 to the tile `into`, register or value.
void emitMatmul(mlir::Operation *op, StoredTile lhs, StoredTile rhs, mlir::Value into,
                FunctionCompiler &compiler);

/// A tile of the frame that is combined with others: begins as `from`, or filled with
/// `start` where that is null.
void emitStart(mlir::Operation *op, mlir::Value from, TileNumber tile, FunctionCompiler &compiler,
               float start = 0.0f);

/// For an op of a ttl.compute's body that reduces: runs over the reduction iterators
/// that `arguments` (of the body) depend on, ascending, the last one fastest, doing
/// what `emitStep` emits for the arguments' tiles.
llvm::Error
emitReduction(mlir::Operation *op, mlir::ValueRange arguments, FunctionCompiler &compiler,
              llvm::function_ref<llvm::Error(llvm::ArrayRef<StoredTile> tiles)> emitStep);

/// Emits the calls of one tile operation: the slots hold the registers of its
/// tiles, operands first and the result last.
using RegisterRule = llvm::Error (*)(mlir::Operation *, llvm::ArrayRef<SlotNumber> registers,
                                     FunctionCompiler &);

/// Whether the result's register is that of the first operand.
enum class ResultIn : uint8_t { FirstOperand, OwnRegister };

llvm::Error compileTileOp(mlir::Operation *op, FunctionCompiler &compiler, RegisterRule rule,
                          ResultIn result);

/// For a ttl op on tiles, blocks or block expressions. Operands of other types are
/// the rule's own business.
template <typename OpTy, RegisterRule rule, ResultIn result> void addTileOp(OpTable &table) {
  table.add<OpTy>([](mlir::Operation *op, FunctionCompiler &compiler) {
    return compileTileOp(op, compiler, rule, result);
  });
}

/// `condition ? a : b` of block expressions.
void emitSelect(mlir::Operation *op, FunctionCompiler &compiler);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_VALUES_H
