//===- Statements.cpp - walking statements ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/statements/Statements.h"

#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/UnrolledLoops.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/control/PathJoin.h"
#include "frontend/walk/expressions/Texts.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/WalkedStatement.h"
#include "frontend/walk/values/Advice.h"
#include "frontend/walk/values/EqualValues.h"
#include "ir/Locations/Locations.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SaveAndRestore.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Bodies of functions
//===--------------------------------------------------------------------------===//

void Statements::statement(py::handle node) {
  walker.staticEval.countStep(node);
  using Method = void (Statements::*)(py::handle);
  static const llvm::StringMap<Method> handlers = {
      {"Expr", &Statements::expression},
      {"Assign", &Statements::assignNode},
      {"AnnAssign", &Statements::annotatedAssign},
      {"AugAssign", &Statements::augmentedAssign},
      {"For", &Statements::forNode},
      {"While", &Statements::whileNode},
      {"With", &Statements::withNode},
      {"FunctionDef", &Statements::functionNode},
      {"Assert", &Statements::assertNode},
      {"Raise", &Statements::raiseNode},
      {"Import", &Statements::importNode},
      {"ImportFrom", &Statements::importNode},
      {"Return", &Statements::returnNode},
      {"Break", &Statements::breakNode},
      {"Continue", &Statements::continueNode},
      {"Pass", &Statements::pass},
  };
  auto it = handlers.find(kindOf(node));
  if (it == handlers.end())
    unsupported(node);
  llvm::SaveAndRestore<WalkedStatement> walked(walkedStatement(),
                                               {walker.diagnostics.file(), node});
  try {
    (this->*it->second)(node);
  } catch (py::error_already_set &error) {
    walker.staticEval.report(node, error);
  }
}

void Statements::unsupported(py::handle node) const {
  static const llvm::StringMap<const char *> advice = {
      {"Try", "'try' is not supported in kernel functions: write 'try' around the call of the "
              "operation to catch a fault of the kernel"},
      {"TryStar", "'try' is not supported in kernel functions"},
      {"Global", "'global' is not supported in kernel functions: pass the value as an argument"},
      {"Nonlocal", "'nonlocal' is not supported in kernel functions: return the value"},
      {"Import", "'import' is not supported in kernel functions: write it outside of them"},
      {"ImportFrom", "'import' is not supported in kernel functions: write it outside of them"},
      {"ClassDef", "classes are not supported in kernel functions: define them outside"},
      {"Delete", "'del' is not supported in kernel functions: leave the statement out"},
      {"AsyncFunctionDef", "'async' is not supported inside kernel functions: write 'def'"},
      {"AsyncFor", "'async' is not supported inside kernel functions: write 'for'"},
      {"AsyncWith", "'async' is not supported inside kernel functions: write 'with'"},
      {"Match", "'match' is not supported in kernel functions: write 'if' and 'elif'"},
  };
  auto it = advice.find(kindOf(node));
  walker.diagnostics.fail(
      node, it != advice.end() ? it->second
                               : "this kind of statement is not supported in kernel functions");
}

// Walks a statement. An error ends the statement, and the walk continues with the next one. If
// unrolling a loop around the statement may avoid the error, it is passed on to that loop.
void Statements::recover(py::handle node, llvm::function_ref<void()> walk) {
  mlir::OpBuilder::InsertPoint place = walker.builder.saveInsertionPoint();
  size_t scopeDepth = walker.scopes.depth(), fileDepth = walker.diagnostics.depth();
  unsigned outerLoops = walker.unrolled.numEntered();
  try {
    walker.checkStack(node);
    walker.controlFlow.untilRaise(walk);
  } catch (const CompileFailure &failure) {
    walker.unrolled.unwindTo(outerLoops);
    if (failure.needsStatic && walker.unrolled.canUnroll())
      throw;
    walker.diagnostics.report(failure);
    walker.builder.restoreInsertionPoint(place);
    walker.scopes.unwindTo(scopeDepth);
    walker.diagnostics.unwindTo(fileDepth);
    poison(node);
  }
}

static bool containsReturn(py::handle statement) {
  bool found = false;
  walkTree(statement, [&](py::handle node) {
    found = found || isKind(node, "Return");
    return !found && !isKind(node, "FunctionDef") && !isKind(node, "Lambda");
  });
  return found;
}

// Marks the variables that a failed statement would have assigned, so that their uses are not
// reported as errors.
void Statements::poison(py::handle node) {
  Scope &scope = walker.scopes.current();
  for (const std::string &name : walker.scopes.assignedNames.of(node))
    scope.assign(name, Missing{{}, /*isPoisoned=*/true});
  scope.ends = {};
  if (!containsReturn(node))
    return;
  scope.assign(kReturnValue, Missing{{}, /*isPoisoned=*/true});
  if (isKind(node, "Return"))
    scope.ends.kinds = PathEnds::Returns;
}

// Walks a list of statements. If a statement may end the list on some paths, the statements after
// it are built once: inside the only path that falls through, or under a test of how the paths
// ended.
void Statements::run(py::list statements) {
  std::vector<Branch> around;
  size_t done = 0;
  for (py::handle node : statements) {
    const PathEnds &ends = walker.scopes.current().ends;
    if (!ends.may(PathEnds::Falls))
      break;
    if (ends.isMixed())
      around.push_back(walker.controlFlow.guard(node));
    ++done;
    if (isKind(node, "If") && walker.held.isForked(node)) {
      auto rest =
          py::reinterpret_borrow<py::list>(statements[py::slice(done, statements.size(), 1)]);
      recover(node, [&] { forkedIf(node, rest); });
      break;
    }
    recover(node, [&] { isKind(node, "If") ? ifNode(node, around) : statement(node); });
  }
  closeAll(around);
}

void Statements::closeAll(std::vector<Branch> &branches) {
  for (; !branches.empty(); branches.pop_back())
    walker.controlFlow.close(branches.back());
}

void Statements::breakNode(py::handle) { walker.scopes.current().ends.kinds = PathEnds::Breaks; }

void Statements::continueNode(py::handle) {
  walker.scopes.current().ends.kinds = PathEnds::Continues;
}

void Statements::expression(py::handle node) {
  py::object value = node.attr("value"_py);
  if (isKind(value, "Constant"))
    return;
  Value result = walker.evaluate(value);
  if (const Method *method = result.getIf<Method>())
    walker.diagnostics.fail(value, fmt::format("this statement names {}, but does not call it: "
                                               "write '{}()'",
                                               describe(result), method->name));
}

//===--------------------------------------------------------------------------===//
// Branches
//===--------------------------------------------------------------------------===//

static bool areOpposite(EqualValues &equal, mlir::Value a, mlir::Value b) {
  auto left = a.getDefiningOp<arith::CmpIOp>(), right = b.getDefiningOp<arith::CmpIOp>();
  auto same = [&](mlir::Value x, mlir::Value y) {
    return equal.representative(x) == equal.representative(y);
  };
  return left && right && left.getPredicate() == arith::invertPredicate(right.getPredicate()) &&
         same(left.getLhs(), right.getLhs()) && same(left.getRhs(), right.getRhs());
}

// Evaluates the condition of an `if`.
std::variant<bool, mlir::Value> Statements::testOf(py::handle test) {
  auto truth = walker.scalars.truth(test, walker.evaluate(test));
  const mlir::Value *value = std::get_if<mlir::Value>(&truth);
  if (!value)
    return truth;
  EqualValues equal;
  for (auto &[condition, holds] : facts) {
    if (equal.representative(condition) == equal.representative(*value))
      return holds;
    if (areOpposite(equal, condition, *value))
      return !holds;
  }
  return truth;
}

// Walks an `if`, and on each of its paths also `rest`, the statements after it.
void Statements::forkedIf(py::handle node, py::list rest) {
  auto truth = testOf(node.attr("test"_py));
  auto walkPath = [&](bool holds) {
    py::list body = listOf(node, holds ? "body"_py : "orelse"_py);
    if (!holds && body.size() == 1 && isKind(body[0], "If"))
      return forkedIf(body[0], rest);
    run(body);
    run(rest);
  };
  if (const bool *known = std::get_if<bool>(&truth))
    return walkPath(*known);
  mlir::Value condition = std::get<mlir::Value>(truth);
  Branch branch = walker.controlFlow.open(node, condition);
  auto walkKnowing = [&](bool holds) {
    facts.push_back({condition, holds});
    llvm::scope_exit forget([&] { facts.pop_back(); });
    walkPath(holds);
  };
  walkKnowing(true);
  walker.controlFlow.turn(branch);
  walkKnowing(false);
  walker.controlFlow.close(branch);
}

// Walks an `if` with its `elif`s, without recursion. If only one path falls through, it is left
// open and the branches around it are added to `around`: the rest of the list of statements is
// built inside it.
void Statements::ifNode(py::handle node, std::vector<Branch> &around) {
  std::vector<Branch> chain;
  py::object current = py::reinterpret_borrow<py::object>(node);
  while (true) {
    std::variant<bool, mlir::Value> truth = false;
    walker.controlFlow.untilRaise([&] { truth = testOf(current.attr("test"_py)); });
    if (walker.scopes.current().ends.raises())
      break;
    const bool *known = std::get_if<bool>(&truth);
    if (known && *known) {
      run(listOf(current, "body"_py));
      break;
    }
    if (!known) {
      chain.push_back(walker.controlFlow.open(current, std::get<mlir::Value>(truth)));
      chain.back().statement = node;
      run(listOf(current, "body"_py));
      walker.controlFlow.turn(chain.back());
    }
    py::list rest = listOf(current, "orelse"_py);
    if (rest.size() != 1 || !isKind(rest[0], "If")) {
      run(rest);
      break;
    }
    current = rest[0];
  }
  leaveOpen(chain, around);
}

void Statements::leaveOpen(std::vector<Branch> &chain, std::vector<Branch> &around) {
  auto falls = [](const PathEnds &ends) { return ends.may(PathEnds::Falls); };
  auto leaves = [&](const PathEnds &ends) { return !falls(ends) && !ends.raises(); };
  const PathEnds &last = walker.scopes.current().ends;
  size_t falling = falls(last), leaving = leaves(last);
  for (const Branch &branch : chain) {
    falling += falls(branch.other.ends);
    leaving += leaves(branch.other.ends);
  }
  if (falling != 1 || leaving == 0)
    return closeAll(chain);
  while (!falls(walker.scopes.current().ends) && !falls(chain.back().other.ends)) {
    walker.controlFlow.close(chain.back());
    chain.pop_back();
  }
  if (!falls(walker.scopes.current().ends))
    walker.controlFlow.turn(chain.back());
  std::move(chain.begin(), chain.end(), std::back_inserter(around));
}

//===--------------------------------------------------------------------------===//
// Inner functions
//===--------------------------------------------------------------------------===//

void Statements::functionNode(py::handle node) {
  for (py::handle decorator : listOf(node, "decorator_list"_py)) {
    // Evaluate the decorator first: authors misspell names such as ttl.compute, and the message
    // about an unknown name suggests the right one.
    walker.evaluate(isKind(decorator, "Call") ? decorator.attr("func"_py)
                                              : py::reinterpret_borrow<py::object>(decorator));
    walker.diagnostics.fail(node, "a function inside a kernel function cannot have decorators: "
                                  "define it without them");
  }
  std::string name = text(node.attr("name"_py));
  walker.scopes.assign(name, walker.calls.define(node, name));
}

//===--------------------------------------------------------------------------===//
// assert and raise statements
//===--------------------------------------------------------------------------===//

void Statements::fault(py::handle node, mlir::Value condition, const Text &message) {
  ttl::AssertOp::create(walker.builder, walker.location(node), condition,
                        walker.builder.getStringAttr(message.format), message.numbers);
}

// Builds an assert whose message is computed at run time. As in Python, the message is evaluated
// only if the assert fails.
void Statements::checkWithMessage(py::handle node, mlir::Value condition, py::handle message) {
  mlir::OpBuilder &builder = walker.builder;
  Location loc = walker.location(node);
  mlir::Value fails =
      arith::XOrIOp::create(builder, loc, condition, walker.constant(node, true)).getResult();
  auto branch = scf::IfOp::create(builder, loc, fails, /*withElseRegion=*/false);
  mlir::Block &body = *branch.thenBlock();
  Text text;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    text = textOf(walker, message, walker.evaluate(message));
    if (!llvm::hasSingleElement(body))
      return fault(node, walker.constant(node, false), text);
  }
  branch.erase(); // the message needs no op, so no branch is needed
  fault(node, condition, text);
}

// Notes that the body of a unified operation checks something.
void Statements::noteStaticAssert() {
  mlir::Operation *owner = walker.body->getParentOp();
  auto thread = dyn_cast<ttl::UnifiedThreadOp>(owner);
  if (!thread)
    thread = owner->getParentOfType<ttl::UnifiedThreadOp>();
  if (thread)
    thread->setAttr(ttl::kStaticAssertsAttr, walker.builder.getUnitAttr());
}

void Statements::assertNode(py::handle node) {
  py::object test = node.attr("test"_py), message = node.attr("msg"_py);
  auto truth = walker.scalars.truth(test, walker.evaluate(test));
  const bool *known = std::get_if<bool>(&truth);
  if (known && *known)
    return noteStaticAssert();
  if (!known && !message.is_none())
    return checkWithMessage(node, std::get<mlir::Value>(truth), message);
  mlir::Value condition = known ? walker.constant(node, false) : std::get<mlir::Value>(truth);
  std::string source = unparse(test);
  Value words = message.is_none() ? Value(Static{py::str("assertion failed: " + source)})
                                  : walker.evaluate(message);
  fault(node, condition, textOf(walker, node, words));
}

// Returns the text of an exception: that of its argument, or of a tuple of several ones.
static Text argumentsText(Walker &walker, py::list arguments) {
  if (arguments.size() == 1)
    return textOf(walker, arguments[0], walker.evaluate(arguments[0]));
  std::vector<Value> values;
  for (py::handle argument : arguments)
    values.push_back(walker.evaluate(argument));
  return textOf(walker, arguments[0], makeTuple(std::move(values)));
}

void Statements::raiseNode(py::handle node) {
  py::object exception = node.attr("exc"_py);
  auto words = [&](const std::string &characters) {
    return textOf(walker, node, Static{py::str(characters)});
  };
  Text message = words("raise");
  if (!exception.is_none()) {
    bool isCall = isKind(exception, "Call");
    py::object kind = isCall ? py::object(exception.attr("func"_py)) : exception;
    message = words(unparse(kind));
    if (isCall && !listOf(exception, "args"_py).empty()) {
      append(message, words(": "));
      append(message, argumentsText(walker, listOf(exception, "args"_py)));
    }
  }
  fault(node, walker.constant(node, false), message);
  walker.scopes.current().ends.kinds = PathEnds::Raises;
}

} // namespace ttjit::frontend
