//===- FunctionCompiler.h - decoding of a thread --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks a thread once, numbers its values and lets the rule of each op
// (interp/OpTable.h) append instructions. Rules call back for slots, constants,
// tiles and nested blocks.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_FUNCTIONCOMPILER_H
#define TTJIT_INTERP_FUNCTIONCOMPILER_H

#include "interp/Code.h"
#include "interp/OpTable.h"
#include "interp/ThreadSource.h"
#include "ir/Support/Locations.h"

#include "mlir/IR/Value.h"

#include <cstring>

namespace ttjit::interp {

/// One of several copies that count as simultaneous: the list is in an order in which none
/// overwrites a source. Copies a slot, or, if `tiles` is not 0, that many tiles.
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

/// An error at an op's position: "file:line:column: message".
llvm::Error errorAt(mlir::Operation *op, const llvm::Twine &message);

/// Tiles that a value of this type is: 1 for a tile, the extents' product for a
/// block expression, 0 for everything else.
uint32_t countTiles(mlir::Type type);

/// A tile in L1: slots of the block and of the tile's number in it.
struct StoredTile {
  SlotNumber block, index;
};

class FunctionCompiler {
public:
  FunctionCompiler(const OpTable &rules, LocationTable &locations, const ThreadSource &source);

  llvm::Expected<std::shared_ptr<const Code>> compile();

  const ThreadSource &thread() const { return source; }
  /// Whether the thread has ops that begin and end DST sections.
  bool hasSections() const { return explicitSections; }

  //===--- Slots -----------------------------------------------------------===//

  SlotNumber slotOf(mlir::Value value);
  /// A slot that changes while the kernel runs.
  SlotNumber newSlot();
  /// A slot that always holds this.
  SlotNumber constantSlot(Slot value);
  SlotNumber constantString(llvm::StringRef text);
  /// Gives `value` this content before the first instruction.
  void define(mlir::Value value, Slot content) { code->image[slotOf(value)] = content; }

  //===--- Tiles that are values -------------------------------------------===//

  /// First of the tiles that hold a value. They are the value's own until its last
  /// use.
  TileNumber tilesOf(mlir::Value value) { return tilesOf(value, countTiles(value.getType())); }
  /// For values that stand for tiles, whatever their type.
  TileNumber tilesOf(mlir::Value value, uint32_t count);
  TileNumber newTiles(uint32_t count);
  /// Tiles that the current op alone needs.
  TileNumber temporaryTiles(uint32_t count);
  /// ScratchRegisters::kMax tiles for calls of the kernel API on values.
  TileNumber scratchTiles();

  /// A block argument of ttl.compute stands for a tile in L1.
  void setStoredTile(mlir::Value argument, StoredTile tile);
  /// Fails unless `value` is an argument of a ttl.compute around `op`.
  llvm::Expected<StoredTile> storedTile(mlir::Operation *op, mlir::Value value);
  /// Whether a rule asked for the argument's tile as a value, so that it must be loaded.
  bool isLoaded(mlir::Value argument) const { return loadedArguments.contains(argument); }

  //===--- Instructions ----------------------------------------------------===//

  /// Appends an instruction for `op` on the given slots; its result, if it has
  /// one, is the op's first.
  Instruction &emit(mlir::Operation *op, Handler handler, llvm::ArrayRef<SlotNumber> operands);
  /// The same on the slots of the op's own operands.
  Instruction &emit(mlir::Operation *op, Handler handler);

  void append(Instructions instructions) {
    std::move(instructions.begin(), instructions.end(), std::back_inserter(*current));
  }
  /// What `fill` emits, as a list of its own.
  llvm::Expected<Instructions> collect(llvm::function_ref<llvm::Error()> fill);
  /// The code of a block without its terminator, which belongs to the rule of
  /// the op around it.
  llvm::Expected<Instructions> compileBlock(mlir::Block &block);
  llvm::Error compileOp(mlir::Operation *op);
  Moves moves(mlir::ValueRange from, mlir::ValueRange to);

private:
  llvm::Error defineResources();
  llvm::Error compileOutsideValues();
  void freeTiles(TileNumber first, uint32_t count) { freeTileRuns[count].push_back(first); }
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
  llvm::DenseMap<uint32_t, std::vector<TileNumber>> freeTileRuns; ///< by length
  std::vector<std::pair<TileNumber, uint32_t>> temporaries;
  std::optional<TileNumber> scratch;
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_FUNCTIONCOMPILER_H
