//===- ControlFlow.cpp - branches at run time ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/control/ControlFlow.h"

#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/UnrolledLoops.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/PathJoin.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/StackSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <fmt/format.h>

using namespace mlir;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Branches
//===--------------------------------------------------------------------------===//

// Fails if ops are nested too deep for the stack that is left: passes recurse once per level of
// regions.
void ControlFlow::checkDepth(py::handle node) const {
  constexpr size_t kBytesPerLevel = 3000;
  size_t depth = 0;
  for (Operation *op = walker.builder.getInsertionBlock()->getParentOp(); op;
       op = op->getParentOp())
    ++depth;
  if (depth * kBytesPerLevel > walker.stack.left())
    walker.diagnostics.fail(
        node, fmt::format("this statement is nested {} levels deep, too deep for the stack of this "
                          "Python thread: split the function, or raise threading.stack_size(); "
                          "each 'elif', and each 'if' that ends with 'return', adds a level",
                          depth));
}

Branch ControlFlow::open(py::handle node, mlir::Value condition) {
  checkDepth(node);
  return begin(node, condition);
}

Branch ControlFlow::begin(py::handle node, mlir::Value condition) {
  OpBuilder &builder = walker.builder;
  auto op = scf::IfOp::create(builder, walker.location(node), TypeRange(), condition,
                              /*withElseRegion=*/true);
  builder.setInsertionPoint(op.thenYield());
  PathState state = savePath(walker);
  return {node, op, state, state};
}

void ControlFlow::turn(Branch &branch) {
  PathState next = std::move(branch.other);
  branch.other = savePath(walker);
  branch.inElse = !branch.inElse;
  walker.builder.setInsertionPoint(branch.inElse ? branch.op.elseYield() : branch.op.thenYield());
  restorePath(walker, std::move(next));
}

scf::IfOp ControlFlow::close(Branch &branch) { return PathJoin(walker, branch).finish(); }

Branch ControlFlow::guard(py::handle node) {
  Branch branch = open(node, isOneOf(node, PathEnds::Falls));
  walker.scopes.current().ends = {};
  PathEnds &others = branch.other.ends;
  others.kinds &= ~unsigned(PathEnds::Falls);
  if (!others.isMixed())
    others.code = {};
  return branch;
}

// Builds a test whether the path that was taken ended in one of the ways in the set `kinds`. The
// test compares the number of the way with the largest one in `kinds`; so `kinds` must contain each
// smaller one that can occur here.
mlir::Value ControlFlow::isOneOf(py::handle node, unsigned kinds) {
  const PathEnds &ends = walker.scopes.current().ends;
  if (!ends.isMixed())
    return walker.constant(node, ends.may(kinds));
  mlir::Value limit = walker.constant(node, int32_t(std::bit_floor(kinds)));
  return arith::CmpIOp::create(walker.builder, walker.location(node), arith::CmpIPredicate::sle,
                               ends.code, limit);
}

void ControlFlow::fallFrom(py::handle node, unsigned kinds) {
  Scope &scope = walker.scopes.current();
  if (!scope.ends.may(kinds))
    return;
  unsigned others = scope.ends.kinds & ~(kinds | PathEnds::Falls);
  if (others) {
    mlir::Value falls = isOneOf(node, kinds | PathEnds::Falls);
    scope.ends.code =
        arith::SelectOp::create(walker.builder, walker.location(node), falls,
                                walker.constant(node, int32_t(PathEnds::Falls)), scope.ends.code);
  } else {
    scope.ends.code = {};
  }
  scope.ends.kinds = others | PathEnds::Falls;
  int line = walker.diagnostics.range(node).line;
  std::exchange(scope.partial, {}).forEach([&](const std::string &name, NoValue) {
    scope.assign(name, Missing{fmt::format("variable '{}' has no value if the loop of line {} is "
                                           "left before it is assigned",
                                           name, line)});
  });
}

// Moves the ops of both regions before the scf.if if it is safe to always run them. Returns whether
// it did.
static bool hoist(scf::IfOp op) {
  mlir::Block *blocks[] = {op.thenBlock(), op.elseBlock()};
  for (mlir::Block *block : blocks)
    for (Operation &inner : block->without_terminator())
      if (!isMemoryEffectFree(&inner) || inner.getNumRegions() != 0)
        return false;
  for (mlir::Block *block : blocks)
    while (!block->without_terminator().empty())
      block->front().moveBefore(op);
  return true;
}

// Replaces an scf.if that yields numbers computed before it by a select.
static Value select(OpBuilder &builder, scf::IfOp op) {
  builder.setInsertionPointAfter(op);
  mlir::Value result =
      arith::SelectOp::create(builder, op.getLoc(), op.getCondition(), op.thenYield().getOperand(0),
                              op.elseYield().getOperand(0));
  op.erase();
  return Scalar{result};
}

// Returns whether no loop or branch is left half built behind `last` (null: in the whole block).
static bool isWhole(mlir::Block &block, Operation *last) {
  mlir::ScopedDiagnosticHandler quiet(block.getParentOp()->getContext(),
                                      [](mlir::Diagnostic &) { return success(); });
  auto first = last ? std::next(last->getIterator()) : block.begin();
  return llvm::all_of(llvm::make_range(first, block.end()),
                      [](Operation &op) { return succeeded(mlir::verify(&op)); });
}

void ControlFlow::untilRaise(llvm::function_ref<void()> walk) {
  mlir::Block &block = *walker.builder.getInsertionBlock();
  auto point = walker.builder.getInsertionPoint();
  Operation *last = point == block.begin() ? nullptr : &*std::prev(point);
  Scope &scope = walker.scopes.current();
  size_t scopeDepth = walker.scopes.depth(), fileDepth = walker.diagnostics.depth();
  unsigned outerLoops = walker.unrolled.numEntered();
  auto drop = [&] {
    // Code in another block does not run on all paths, so other paths may not have raised.
    if (!scope.ends.raises() || walker.builder.getInsertionBlock() != &block ||
        !isWhole(block, last))
      return false;
    walker.unrolled.unwindTo(outerLoops);
    walker.scopes.unwindTo(scopeDepth);
    walker.diagnostics.unwindTo(fileDepth);
    return true;
  };
  try {
    walk();
  } catch (const CompileFailure &) {
    if (!drop())
      throw;
  } catch (py::error_already_set &) {
    if (!drop())
      throw;
  }
}

// The hidden variable that holds the value of the alternative that was taken.
static constexpr char kChoice[] = "if-else";

Value ControlFlow::choose(py::handle node, mlir::Value condition,
                          const std::function<Value()> &thenValue,
                          const std::function<Value()> &elseValue) {
  Branch branch = begin(node, condition);
  Scope &scope = walker.scopes.current();
  Value first = Static{py::none()}, second = first;
  untilRaise([&] { first = thenValue(); });
  scope.assign(kChoice, first);
  turn(branch);
  untilRaise([&] { second = elseValue(); });
  scope.assign(kChoice, second);
  scf::IfOp op = close(branch);
  if (scope.ends.raises()) {
    scope.variables.erase(kChoice);
    return Static{py::none()};
  }
  Value chosen = *scope.find(kChoice);
  scope.variables.erase(kChoice);
  if (chosen.is<Missing>())
    failChoice(node, first, second);
  return chosen.is<Scalar>() && op.getNumResults() == 1 && hoist(op) ? select(walker.builder, op)
                                                                     : chosen;
}

// Reports a conditional expression if a run-time condition cannot choose between its alternatives.
void ControlFlow::failChoice(py::handle node, const Value &first, const Value &second) {
  std::string one = describe(first), other = describe(second);
  if (one != other)
    walker.diagnostics.failNeedsStatic(
        node, fmt::format("a condition that is only known at run time cannot choose between {} and "
                          "{}: write an if statement, and use each of them in its branch",
                          one, other));
  walker.diagnostics.failNeedsStatic(
      node, fmt::format("both alternatives of this expression are {}, and a condition that is only "
                        "known at run time cannot choose between them: write an if statement, and "
                        "use each of them in its branch",
                        one));
}

} // namespace ttjit::frontend
