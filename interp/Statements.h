//===- Statements.h - the user's statements in interpreted code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// With ThreadSource::statements the interpreter calls a StatementHook before the ops of each line
// of the user's program. The hook sees the variables of that place and may change them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_STATEMENTS_H
#define TTJIT_INTERP_STATEMENTS_H

#include "interp/Code.h"
#include "ir/Locations/Locations.h"

#include "mlir/IR/Value.h"

#include <optional>

namespace ttjit::interp {

/// A value that the user's program can name.
struct Variable {
  enum class Kind : uint8_t { Integer, Bool, Float, Block, Tiles };

  std::string name;   ///< empty if it has only a number
  int64_t number = 0; ///< which the frontend gave to the value; 0: none
  Kind kind = Kind::Integer;
  SlotNumber slot = 0;        ///< of all kinds except Tiles
  TileNumber tile = 0;        ///< Tiles: the first of the tiles, row-major
  std::vector<int64_t> shape; ///< Block: as BufferConfig::blockShape. Tiles: extents in tiles
};

/// A block of pages that a thread reserved or waited for.
struct BlockPlace {
  uint32_t buffer = 0; ///< its index
  uint32_t page = 0;   ///< first page, from the start of the buffer
  bool reserved = false;
};

/// The block in a variable of kind Block.
BlockPlace blockOf(const Frame &frame, const Variable &variable);

/// The detail of the instruction that calls the hook.
struct Statement : Detail {
  SourceRange position;
  std::vector<SourceRange> callers; ///< the calls around a function's statement, innermost first
  std::vector<Variable> variables;  ///< in the order in which they got their values
  std::vector<std::string> ops;     ///< names of the ops, without nested ones
  std::string scope;                ///< what the user's variables are (ir/Locations/ShownValues.h)
};

class StatementHook {
public:
  virtual ~StatementHook() = default;
  /// Called on the stack of the kernel thread. The frame is valid until the thread ends.
  virtual void onStatement(const Statement &statement, Frame &frame) = 0;
};

/// Sets the hook for all runs of this host thread; null: none.
void setStatementHook(StatementHook *hook);

/// The handler of a statement's instruction: calls the hook.
hw::Status runStatement(const Instruction &instruction, Frame &frame);

/// Returns the positions of an op: those of the calls around it, outermost first, and its own.
std::vector<mlir::Location> callStack(mlir::Location loc);

/// Describes the statement at the last position of a call stack, without its variables and ops.
std::unique_ptr<Statement> describeStatement(llvm::ArrayRef<mlir::Location> stack);

/// Describes the variable of a value that has `numTiles` tiles, without its slot or tile. Returns
/// nothing for values that have no name or that a debugger cannot show.
std::optional<Variable> describeVariable(mlir::Value value, uint32_t numTiles);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_STATEMENTS_H
