//===- FunctionCompiler.h - decoding of a thread function -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks a function once, numbers its values and lets the rule of each op
// (interp/OpTable.h) append instructions. Rules call back for slots, constants
// and nested blocks.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_FUNCTIONCOMPILER_H
#define TTJIT_INTERP_FUNCTIONCOMPILER_H

#include "interp/Code.h"
#include "interp/OpTable.h"
#include "ir/Support/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::interp {

/// Copies between slots that count as simultaneous; already in a safe order.
struct Move {
  SlotNumber from, to;
};
using Moves = std::vector<Move>;

inline void runMoves(const Moves &moves, Frame &frame) {
  for (Move move : moves)
    frame.slots[move.to] = frame.slots[move.from];
}

/// An error at an op's position: "file:line:column: message".
llvm::Error errorAt(mlir::Operation *op, const llvm::Twine &message);

class FunctionCompiler {
public:
  FunctionCompiler(const OpTable &rules, LocationTable &locations)
      : rules(rules), locations(locations) {}

  llvm::Expected<std::shared_ptr<const Code>> compile(mlir::func::FuncOp function);

  SlotNumber slotOf(mlir::Value value);
  /// A slot that always holds this.
  SlotNumber constantSlot(Slot value);
  SlotNumber constantString(llvm::StringRef text);
  /// Gives `value` this content before the first instruction.
  void define(mlir::Value value, Slot content) { code->image[slotOf(value)] = content; }

  /// Appends an instruction for `op` on the given slots; its result, if it has
  /// one, is the op's first.
  Instruction &emit(mlir::Operation *op, Handler handler, llvm::ArrayRef<SlotNumber> operands);
  /// The same on the slots of the op's own operands.
  Instruction &emit(mlir::Operation *op, Handler handler);

  /// The code of a block without its terminator, which belongs to the rule of
  /// the op around it.
  llvm::Expected<Instructions> compileBlock(mlir::Block &block);
  Moves moves(mlir::ValueRange from, mlir::ValueRange to);

private:
  llvm::Error compileOp(mlir::Operation *op);
  SlotNumber newSlot();

  const OpTable &rules;
  LocationTable &locations;
  std::shared_ptr<Code> code = std::make_shared<Code>();
  Instructions *current = nullptr;
  llvm::DenseMap<mlir::Value, SlotNumber> slots;
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_FUNCTIONCOMPILER_H
