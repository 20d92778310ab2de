//===- Statements.cpp - the user's statements in interpreted code -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/Statements.h"

#include "interp/ops/BlockRef.h"
#include "ir/Locations/ShownValues.h"
#include "ir/TTL/TTL.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

// Each host thread has its own hook. Only the debugger sets one; its runs use a single host thread,
// which runs all kernel threads as fibers.
static thread_local StatementHook *currentHook = nullptr;

void interp::setStatementHook(StatementHook *hook) { currentHook = hook; }

hw::Status interp::runStatement(const Instruction &instruction, Frame &frame) {
  frame.thread.loc = instruction.location;
  if (currentHook)
    currentHook->onStatement(static_cast<const Statement &>(*instruction.detail), frame);
  return hw::Status::Ok;
}

BlockPlace interp::blockOf(const Frame &frame, const Variable &variable) {
  BlockRef block = BlockRef::of(frame, variable.slot);
  return {block.cb, block.page, block.reserved};
}

static CallSiteLoc findCall(Location loc) {
  CallSiteLoc found;
  loc->walk([&](Location inner) {
    found = dyn_cast<CallSiteLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

// A call site of MLIR has the position in the called function and, as `caller`, the next call site.
std::vector<Location> interp::callStack(Location loc) {
  std::vector<Location> stack{loc};
  for (CallSiteLoc call = findCall(loc); call; call = findCall(call.getCaller()))
    stack.push_back(call.getCaller());
  std::ranges::reverse(stack);
  return stack;
}

std::unique_ptr<Statement> interp::describeStatement(ArrayRef<Location> stack) {
  auto statement = std::make_unique<Statement>();
  statement->position = getSourceRange(stack.back());
  statement->scope = getShownScope(stack.back()).str();
  // Each caller's scope, which is JSON without line breaks, is one more line.
  for (Location caller : llvm::reverse(stack.drop_back())) {
    statement->callers.push_back(getSourceRange(caller));
    statement->scope += '\n';
    statement->scope += getShownScope(caller);
  }
  return statement;
}

static std::optional<Variable::Kind> kindOf(Type type, uint32_t numTiles) {
  if (type.isInteger(1))
    return Variable::Kind::Bool;
  if (type.isIntOrIndex())
    return Variable::Kind::Integer;
  if (type.isF32())
    return Variable::Kind::Float;
  if (isa<ttl::BlockType>(type))
    return Variable::Kind::Block;
  if (numTiles)
    return Variable::Kind::Tiles;
  return std::nullopt;
}

std::optional<Variable> interp::describeVariable(Value value, uint32_t numTiles) {
  std::optional<Variable::Kind> kind = kindOf(value.getType(), numTiles);
  std::optional<std::string> name = kind ? getSourceName(value.getLoc()) : std::nullopt;
  std::optional<int64_t> number = kind ? getValueNumber(value.getLoc()) : std::nullopt;
  if (!name && !number)
    return std::nullopt;
  Variable variable{name.value_or(""), number.value_or(0), *kind, 0, 0, {}};
  if (auto block = dyn_cast<ttl::BlockType>(value.getType()))
    variable.shape = block.getTensorType().getShape().vec();
  else if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    variable.shape = tensor.getShape().vec();
  else if (*kind == Variable::Kind::Tiles)
    variable.shape = {1, 1};
  return variable;
}
