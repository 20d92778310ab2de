//===- DSTSimulator.h - what a compute thread packs, symbolically ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a thread of stage `loops` on hashes instead of numbers: every register and every tile in L1
// holds a hash of the expression that computed it. A mistake in the register assignment gives
// another hash or an error. A buffer that the thread both fills and reads is a ring of pages, as on
// the hardware.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_PASSES_DST_DSTSIMULATOR_H
#define TTJIT_TESTS_UNIT_PASSES_DST_DSTSIMULATOR_H

#include "passes/Passes.h"

#include <string>

namespace ttjit::test {

/// Returns the hash of an expression: of an operation's name and its operands' hashes.
uint64_t hashOf(llvm::StringRef name, llvm::ArrayRef<uint64_t> operands);

/// Returns the content of tile `number` in the block that function argument `argument`
/// supplies.
uint64_t inputTile(unsigned argument, int64_t number);

/// Returns the hash that an unwritten register holds.
uint64_t freshTile();

/// Returns the hash of a fill with `value`.
uint64_t fillTile(llvm::APFloat value);

class DSTSimulator {
public:
  explicit DSTSimulator(int capacity) : capacity(capacity), registers(capacity) {}

  /// Runs the function. Returns the first mistake, or an empty string.
  std::string run(mlir::func::FuncOp function);

  /// Returns what was packed into tile `number` of the block that `argument` supplies.
  uint64_t packed(unsigned argument, int64_t number) const;

  int sections() const { return numSections; }

private:
  struct Register {
    uint64_t tile = 0;
    bool written = false;
  };

  /// The pages of one buffer. Counts only grow; `reserved` counts from the first free page on,
  /// `waited` from the first filled page on.
  struct Ring {
    std::vector<uint64_t> pages;
    int64_t pushed = 0, popped = 0, reserved = 0, waited = 0;
  };

  void runBlock(mlir::Block &block);
  void runOp(mlir::Operation &op);
  void runTileOp(mlir::Operation &op);
  void runPack(mlir::Value tile, mlir::Value block, int64_t number);
  void runProtocol(mlir::Operation &op);
  Ring *ringOf(mlir::Value buffer);
  uint64_t *pageIn(Ring &ring, mlir::Value block, int64_t number);
  void fail(mlir::Operation &op, const llvm::Twine &what);
  Register &registerOf(mlir::Operation &op, int64_t index);
  uint64_t read(mlir::Operation &op, mlir::Value tile);
  void write(mlir::Operation &op, uint64_t tile);
  int64_t index(mlir::Value value) const { return numbers.lookup(value); }
  uint64_t tileIn(mlir::Value block, int64_t number);

  int capacity;
  std::vector<Register> registers;
  llvm::DenseMap<mlir::Value, int64_t> numbers;
  llvm::DenseMap<mlir::Value, Ring> rings;
  /// What was packed into the outputs, by buffer and tile.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, uint64_t> stored;
  std::string error;
  bool inMath = false, inPack = false;
  int numSections = 0;
};

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_PASSES_DST_DSTSIMULATOR_H
