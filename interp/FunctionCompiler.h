//===- FunctionCompiler.h - decodes a thread ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks a thread once and numbers its values. The rule of each op (interp/OpTable.h)
// appends instructions; it calls this class for slots, constants, tiles and nested
// blocks.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_FUNCTIONCOMPILER_H
#define TTJIT_INTERP_FUNCTIONCOMPILER_H

#include "interp/Code.h"
#include "interp/OpTable.h"
#include "interp/Statements.h"
#include "interp/ThreadSource.h"
#include "ir/Locations/Locations.h"

#include "mlir/IR/Value.h"

#include <cstring>
#include <utility>

namespace ttjit::interp {

/// One of several copies that count as simultaneous. A list of moves has an order in which
/// no copy overwrites the source of a later one. Copies a slot, or, if `tiles` is not
/// 0, that many tiles.
struct Move {
  uint32_t from, to, tiles = 0;
};
using Moves = std::vector<Move>;

inline void runMoves(const Moves &moves, Frame &frame) {
  for (const Move &move : moves)
    if (move.tiles)
      std::memcpy(frame.tile(move.to), frame.tile(move.from), move.tiles * kTileBytes);
    else
      frame.slots[move.to] = frame.slots[move.from];
}

/// Returns an error at the position of an op: "file:line:column: message".
llvm::Error errorAt(mlir::Operation *op, const llvm::Twine &message);

/// Number of tiles in a value of this type: 1 for a tile, the product of the extents
/// for a block expression, 0 for all others.
uint32_t countTiles(mlir::Type type);

/// A tile in L1: the slots of its block and of its number in the block.
struct StoredTile {
  SlotNumber block, index;
};

class FunctionCompiler {
public:
  FunctionCompiler(const OpTable &rules, LocationTable &locations, const ThreadSource &source);

  llvm::Expected<std::shared_ptr<const Code>> compile();

  const ThreadSource &thread() const { return source; }
  /// Returns whether ops of the thread's IR begin and end its DST sections.
  bool hasSections() const { return explicitSections; }

  //===--- Slots --------------------------------------------------------------===//

  SlotNumber slotOf(mlir::Value value);
  /// Returns a new slot whose content changes while the kernel runs.
  SlotNumber newSlot();
  /// Returns a slot that always has this content.
  SlotNumber constantSlot(Slot value);
  SlotNumber constantString(llvm::StringRef text);
  /// Gives `value` this content before the first instruction.
  void define(mlir::Value value, Slot content) { code->image[slotOf(value)] = content; }

  //===--- Tiles that are values ----------------------------------------------===//

  /// Returns the number of the first tile that holds a value. The value keeps its tiles
  /// until its last use.
  TileNumber tilesOf(mlir::Value value) { return tilesOf(value, countTiles(value.getType())); }
  /// Returns the first of `count` tiles for a value of any type.
  TileNumber tilesOf(mlir::Value value, uint32_t count);
  TileNumber newTiles(uint32_t count);
  /// Returns tiles that are free again after the current op.
  TileNumber temporaryTiles(uint32_t count);
  /// Returns tiles that hold no value, neither before nor after this op.
  TileNumber workTiles(uint32_t count) {
    return std::exchange(code->numTiles, code->numTiles + count);
  }
  /// If no other op reads the tiles of `operand`, an operand of `op`, gives them to `result` and
  /// returns true.
  bool takeTiles(mlir::Operation *op, mlir::Value operand, mlir::Value result);

  /// Makes a block argument of ttl.compute refer to a tile in L1.
  void setStoredTile(mlir::Value argument, StoredTile tile);
  /// Fails unless `value` is an argument of a ttl.compute around `op`.
  llvm::Expected<StoredTile> storedTile(mlir::Operation *op, mlir::Value value);
  /// Returns whether a rule asked for the tile of the argument as a value: it must be loaded then.
  bool isLoaded(mlir::Value argument) const { return loadedArguments.contains(argument); }

  //===--- Instructions -------------------------------------------------------===//

  /// Appends an instruction for `op` that works on the given slots. If `op` has a result, the
  /// instruction writes the first one.
  Instruction &emit(mlir::Operation *op, Handler handler, llvm::ArrayRef<SlotNumber> operands);
  /// Returns an instruction that is not appended.
  Instruction instruction(mlir::Operation *op, Handler handler,
                          llvm::ArrayRef<SlotNumber> operands);
  /// Returns the instruction that was appended last to the current list, or null.
  Instruction *lastInstruction() { return current->empty() ? nullptr : &current->back(); }
  /// Appends an instruction that works on the slots of the op's own operands.
  Instruction &emit(mlir::Operation *op, Handler handler);

  void append(Instructions instructions) {
    std::move(instructions.begin(), instructions.end(), std::back_inserter(*current));
  }
  /// Returns the instructions that `fill` emits as a separate list.
  llvm::Expected<Instructions> collect(llvm::function_ref<llvm::Error()> fill);
  /// Compiles a block without its terminator, which the rule of the op around it
  /// compiles.
  llvm::Expected<Instructions> compileBlock(mlir::Block &block);
  llvm::Error compileOp(mlir::Operation *op);
  Moves moves(mlir::ValueRange from, mlir::ValueRange to);

private:
  /// The statements that an op of the current block belongs to: one for each call around it,
  /// outermost first, and the op's own.
  using OpenStatements = std::vector<Statement *>;
  void beginStatements(mlir::Operation &op, OpenStatements &open);
  Statement *emitStatement(llvm::ArrayRef<mlir::Location> stack);
  llvm::Error defineResources();
  llvm::Error compileOutsideValues();
  void freeTiles(TileNumber first, uint32_t count) { freeTileRuns[count].push_back(first); }
  bool isLastUse(mlir::Operation *op, mlir::Value value) const;
  void freeAfterLastUse(mlir::Operation *op);

  const OpTable &rules;
  LocationTable &locations;
  const ThreadSource &source;
  bool explicitSections;
  std::shared_ptr<Code> code = std::make_shared<Code>();
  Instructions *current = nullptr;
  llvm::DenseMap<mlir::Value, SlotNumber> slots;
  struct TileRun {
    TileNumber first;
    uint32_t count;
  };
  llvm::DenseMap<mlir::Value, TileRun> tiles;
  llvm::DenseMap<mlir::Value, StoredTile> storedTiles;
  llvm::DenseSet<mlir::Value> loadedArguments;
  llvm::DenseMap<uint32_t, std::vector<TileNumber>> freeTileRuns; ///< free runs of tiles, by length
  std::vector<std::pair<TileNumber, uint32_t>> temporaries;
  /// If statements are on: the named values that the op being compiled may use.
  std::vector<std::pair<mlir::Value, Variable>> named;
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_FUNCTIONCOMPILER_H
