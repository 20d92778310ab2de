//===- Statements.cpp - walking statements -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Statements.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include "ir/Support/Locations.h"

#include "llvm/ADT/StringMap.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Bodies
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
  try {
    (this->*it->second)(node);
  } catch (py::error_already_set &error) {
    walker.staticEval.report(node, error);
  }
}

void Statements::unsupported(py::handle node) const {
  static const llvm::StringMap<const char *> advice = {
      {"Try", "'try' is not supported in kernel functions: a failing kernel is a run-time fault, "
              "caught around the call of the operation"},
      {"TryStar", "'try' is not supported in kernel functions"},
      {"Global", "'global' is not supported in kernel functions: pass the value as an argument"},
      {"Nonlocal", "'nonlocal' is not supported in kernel functions: return the value"},
      {"Import", "'import' is not supported in kernel functions: write it outside of them"},
      {"ImportFrom", "'import' is not supported in kernel functions: write it outside of them"},
      {"ClassDef", "classes are not supported in kernel functions: define them outside"},
      {"Delete", "'del' is not supported in kernel functions"},
      {"AsyncFunctionDef", "'async' is not supported inside kernel functions: write 'def'"},
      {"AsyncFor", "'async' is not supported inside kernel functions: write 'for'"},
      {"AsyncWith", "'async' is not supported inside kernel functions: write 'with'"},
      {"Match", "'match' is not supported in kernel functions: write 'if' and 'elif'"},
  };
  auto it = advice.find(kindOf(node));
  walker.diagnostics.fail(node, it != advice.end()
                                    ? it->second
                                    : "this statement is not supported in kernel functions");
}

// The body of a unified operation is a Python function as any other one.
void Statements::importNode(py::handle node) {
  if (walker.kind != ThreadKind::Unified)
    unsupported(node);
  walker.resources.importNames(node);
}

// Errors end the statement, and the walk goes on with the next one. A failure that
// unrolling a loop around may avoid is that loop's.
void Statements::recover(py::handle node, llvm::function_ref<void()> walk) {
  mlir::OpBuilder::InsertPoint place = walker.builder.saveInsertionPoint();
  size_t scopeDepth = walker.scopes.depth(), fileDepth = walker.diagnostics.depth();
  unsigned outerLoops = unrollableLoops;
  try {
    walker.checkStack(node);
    walk();
  } catch (const CompileFailure &failure) {
    unrollableLoops = outerLoops;
    if (failure.needsStatic && unrollableLoops > 0)
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

// Uses of what a failed statement would have assigned are no errors of their own.
void Statements::poison(py::handle node) {
  Scope &scope = walker.scopes.current();
  for (const std::string &name : assignedNames(py::make_tuple(node)))
    scope.assign(name, Missing{{}, /*isPoisoned=*/true});
  scope.ends = {};
  if (!containsReturn(node))
    return;
  scope.assign(kReturnValue, Missing{{}, /*isPoisoned=*/true});
  if (isKind(node, "Return"))
    scope.ends.kinds = PathEnds::Returns;
}

// What follows statements that may end the list is built once: inside the only path that
// falls through, or under a test of how they ended.
void Statements::run(py::list statements) {
  std::vector<Branch> around;
  for (py::handle node : statements) {
    const PathEnds &ends = walker.scopes.current().ends;
    if (!ends.may(PathEnds::Falls))
      break;
    if (ends.isMixed())
      around.push_back(walker.controlFlow.guard(node));
    recover(node, [&] { isKind(node, "If") ? ifNode(node, around) : statement(node); });
  }
  closeAll(around);
}

void Statements::closeAll(std::vector<Branch> &branches) {
  for (; !branches.empty(); branches.pop_back())
    walker.controlFlow.close(branches.back());
}

Value Statements::function(py::handle node, py::list body) {
  run(body);
  Scope &scope = walker.scopes.current();
  const PathEnds &ends = scope.ends;
  const Value *returned = scope.find(kReturnValue);
  const Missing *missing = returned ? returned->getIf<Missing>() : nullptr;
  if (missing && missing->isPoisoned)
    walker.diagnostics.failQuietly(node);
  if (!ends.may(PathEnds::Returns))
    return none();
  if (missing || (ends.isMixed() && !isNone(*returned)))
    walker.diagnostics.fail(node, "this function returns values of different kinds");
  return *returned;
}

void Statements::returnNode(py::handle node) {
  py::object value = node.attr("value");
  walker.scopes.assign(kReturnValue, value.is_none() ? none() : walker.expressions.evaluate(value));
  walker.scopes.current().ends.kinds = PathEnds::Returns;
}

void Statements::breakNode(py::handle) { walker.scopes.current().ends.kinds = PathEnds::Breaks; }

void Statements::continueNode(py::handle) {
  walker.scopes.current().ends.kinds = PathEnds::Continues;
}

void Statements::expression(py::handle node) {
  py::object value = node.attr("value");
  if (!isKind(value, "Constant"))
    walker.expressions.evaluate(value);
}

//===--------------------------------------------------------------------------===//
// Assignment
//===--------------------------------------------------------------------------===//

// Names the op that makes the value after the first variable that holds it.
void Statements::nameValue(const std::string &name, const Value &value) {
  mlir::Value ir = blockOperand(value);
  if (const Scalar *scalar = value.getIf<Scalar>())
    ir = scalar->value;
  else if (const Transfer *transfer = value.getIf<Transfer>())
    ir = transfer->handle;
  else if (const TensorPart *part = value.getIf<TensorPart>())
    ir = part->slice;
  Operation *op = ir ? ir.getDefiningOp() : nullptr;
  if (op && op->getNumResults() == 1 && !getSourceName(op->getLoc()))
    op->setLoc(NameLoc::get(walker.builder.getStringAttr(name), op->getLoc()));
  // The variable of a loop is a cast of the loop's index counter: name that too.
  if (auto cast = llvm::dyn_cast_or_null<mlir::arith::IndexCastOp>(op))
    if (auto counter = llvm::dyn_cast<mlir::BlockArgument>(cast.getIn()))
      counter.setLoc(NameLoc::get(walker.builder.getStringAttr(name), counter.getLoc()));
}

void Statements::assign(py::handle target, const Value &value) {
  if (isKind(target, "Name")) {
    nameValue(nameOf(target), value);
    walker.resources.name(nameOf(target), value);
    return walker.scopes.assign(nameOf(target), value);
  }
  if (!isKind(target, "Tuple") && !isKind(target, "List"))
    walker.diagnostics.fail(target,
                            isKind(target, "Subscript")
                                ? "items cannot be assigned in kernel functions: write into "
                                  "a block with store(), into a tensor with ttl.copy()"
                                : "only names and tuples of names can be assigned");
  py::list targets = listOf(target, "elts");
  std::optional<std::vector<Value>> items = walker.expressions.items(value);
  if (!items)
    walker.diagnostics.fail(target, fmt::format("{} cannot be unpacked", describe(value)));
  if (items->size() != targets.size())
    walker.diagnostics.fail(target, fmt::format("{} values cannot be assigned to {} names",
                                                items->size(), targets.size()));
  for (size_t i = 0; i < targets.size(); ++i)
    assign(targets[i], (*items)[i]);
}

void Statements::assignNode(py::handle node) {
  Value value = walker.expressions.evaluate(node.attr("value"));
  for (py::handle target : listOf(node, "targets"))
    assign(target, value);
}

void Statements::annotatedAssign(py::handle node) {
  py::object value = node.attr("value");
  if (!value.is_none())
    assign(node.attr("target"), walker.expressions.evaluate(value));
}

void Statements::augmentedAssign(py::handle node) {
  py::object target = node.attr("target");
  if (!isKind(target, "Name"))
    walker.diagnostics.fail(target, "only names can be assigned in kernel functions");
  Value before = walker.scopes.lookup(target);
  Value operand = walker.expressions.evaluate(node.attr("value"));
  Value result = augmented(node, before, operand);
  nameValue(nameOf(target), result);
  walker.scopes.assign(nameOf(target), result);
}

Value Statements::augmented(py::handle node, const Value &target, const Value &operand) {
  std::string_view op = kindOf(node.attr("op"));
  if (const Block *block = target.getIf<Block>(); block && block->info->reserved)
    walker.diagnostics.fail(node, "a reserved block cannot be read: write into it "
                                  "with store(), or accumulate with store(expr, acc=True)");
  if (op == "Add")
    if (auto sum = walker.blocks.addProduct(node, node.attr("value"), target, operand))
      return *sum;
  return walker.expressions.binary(node, op, target, operand);
}

//===--------------------------------------------------------------------------===//
// Branches
//===--------------------------------------------------------------------------===//

// An `if` with its `elif`s, without recursion. If one path alone falls through, it is left
// open and the branches around it are added to `around`: the rest of the list goes there.
void Statements::ifNode(py::handle node, std::vector<Branch> &around) {
  std::vector<Branch> chain;
  py::object current = py::reinterpret_borrow<py::object>(node);
  while (true) {
    py::object test = current.attr("test");
    auto truth = walker.scalars.truth(test, walker.expressions.evaluate(test));
    const bool *known = std::get_if<bool>(&truth);
    if (known && *known) {
      run(listOf(current, "body"));
      break;
    }
    if (!known) {
      chain.push_back(walker.controlFlow.open(current, std::get<mlir::Value>(truth)));
      run(listOf(current, "body"));
      walker.controlFlow.turn(chain.back());
    }
    py::list rest = listOf(current, "orelse");
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
// Loops
//===--------------------------------------------------------------------------===//

void Statements::forNode(py::handle node) {
  if (!listOf(node, "orelse").empty())
    walker.diagnostics.fail(node, "'for ... else' is not supported");
  py::object iterable = node.attr("iter");
  Value value = walker.expressions.evaluate(iterable);
  if (const Range *range = value.getIf<Range>())
    return forRange(node, *range->bounds);
  if (const Static *object = value.getIf<Static>(); object && PyRange_Check(object->object.ptr()))
    return forStaticRange(node, object->object);
  if (std::optional<std::vector<Value>> items = walker.expressions.items(value))
    return forItems(node, *items);
  walker.diagnostics.fail(iterable, "'for' runs over range() or a sequence known at compile time, "
                                    "found " +
                                        describe(value));
}

void Statements::forItems(py::handle node, const std::vector<Value> &items) {
  std::vector<Branch> around;
  Scope &scope = walker.scopes.current();
  for (const Value &item : items) {
    if (!scope.ends.may(PathEnds::Falls))
      break;
    if (scope.ends.isMixed())
      around.push_back(walker.controlFlow.guard(node));
    assign(node.attr("target"), item);
    run(listOf(node, "body"));
    walker.controlFlow.fallFrom(node, PathEnds::Continues);
  }
  closeAll(around);
  walker.controlFlow.fallFrom(node, PathEnds::Breaks);
}

std::set<std::string> Statements::loopVariables(py::handle node) const {
  std::set<std::string> names = assignedNames(listOf(node, "body"));
  if (py::hasattr(node, "target"))
    names.merge(assignedNames(py::make_tuple(node.attr("target"))));
  return names;
}

void Statements::forRange(py::handle node, llvm::ArrayRef<Value> bounds) {
  py::object target = node.attr("target");
  walker.controlFlow.forRange(
      node, bounds, loopVariables(node), [&](Value value) { assign(target, value); },
      [&] { run(listOf(node, "body")); });
}

// Makes a loop that runs in the kernel. If the body needs the variable at compile time,
// unrolls it instead.
void Statements::forStaticRange(py::handle node, py::object range) {
  if (!py::bool_(range))
    return;
  std::vector<Value> bounds;
  for (const char *name : {"start", "stop", "step"})
    bounds.push_back(Static{range.attr(name)});
  // The bounds fit 32 bits here, and so does the length.
  constexpr size_t kMaxUnrolled = 64;
  bool canUnroll = PyObject_Size(range.ptr()) <= Py_ssize_t(kMaxUnrolled);
  if (PyErr_Occurred() || !canUnroll) {
    PyErr_Clear();
    return forRange(node, bounds);
  }
  Walker::Checkpoint checkpoint(walker);
  ++unrollableLoops;
  try {
    forRange(node, bounds);
    --unrollableLoops;
    return;
  } catch (CompileFailure &failure) {
    --unrollableLoops;
    if (!failure.needsStatic)
      throw;
  }
  checkpoint.rollBack();
  forItems(node, *walker.expressions.items(Static{range}));
}

void Statements::whileNode(py::handle node) {
  if (!listOf(node, "orelse").empty())
    walker.diagnostics.fail(node, "'while ... else' is not supported");
  py::object test = node.attr("test");
  if (isKind(test, "Constant") && !py::bool_(test.attr("value")))
    return;
  auto condition = [&]() -> mlir::Value {
    auto truth = walker.scalars.truth(test, walker.expressions.evaluate(test));
    if (const bool *known = std::get_if<bool>(&truth))
      return walker.constant(test, *known);
    return std::get<mlir::Value>(truth);
  };
  walker.controlFlow.whileLoop(node, loopVariables(node), condition,
                               [&] { run(listOf(node, "body")); });
}

//===--------------------------------------------------------------------------===//
// with, functions
//===--------------------------------------------------------------------------===//

void Statements::withNode(py::handle node) {
  std::vector<std::pair<py::handle, Block>> acquired;
  for (py::handle item : listOf(node, "items")) {
    py::object context = item.attr("context_expr"), target = item.attr("optional_vars");
    Value value = walker.expressions.evaluate(context);
    if (const Block *block = value.getIf<Block>())
      acquired.emplace_back(item, *block);
    else if (!isNone(value))
      walker.diagnostics.fail(context,
                              "'with' takes dfb.wait() or dfb.reserve(), found " + describe(value));
    if (!target.is_none())
      assign(target, value);
  }
  run(listOf(node, "body"));
  for (auto &[item, block] : acquired)
    leaveWith(item.attr("context_expr"), block);
}

void Statements::leaveWith(py::handle node, const Block &block) {
  bool isOutstanding = llvm::any_of(walker.state.outstanding, [&](const Block &other) {
    return other.info->id == block.info->id;
  });
  if (!isOutstanding)
    walker.diagnostics.fail(node, fmt::format("this block is released by {0}() inside its 'with', "
                                              "which releases it at its end: leave the {0}() out",
                                              block.info->reserved ? "push" : "pop"));
  walker.blocks.release(node, block);
}

void Statements::functionNode(py::handle node) {
  if (!listOf(node, "decorator_list").empty())
    walker.diagnostics.fail(node, "a function inside a kernel function cannot have decorators");
  auto info = std::make_shared<FunctionInfo>();
  info->name = text(node.attr("name"));
  info->node = py::reinterpret_borrow<py::object>(node);
  info->file = walker.diagnostics.file();
  info->scope = walker.scopes.shared();
  for (py::handle value : node.attr("args").attr("defaults"))
    info->defaults.push_back(walker.expressions.evaluate(value));
  walker.scopes.assign(info->name, Function{info});
}

//===--------------------------------------------------------------------------===//
// assert, raise
//===--------------------------------------------------------------------------===//

void Statements::fault(py::handle node, mlir::Value condition, const std::string &message) {
  ttl::AssertOp::create(walker.builder, walker.location(node), condition, message);
}

// The text of a message. Of run-time values in an f-string it holds the source text.
std::string Statements::messageOf(py::handle expression) {
  auto source = [](py::handle node) {
    return text(py::module_::import("ast").attr("unparse")(node));
  };
  if (!isKind(expression, "JoinedStr")) {
    Value value = walker.expressions.evaluate(expression);
    const Static *known = value.getIf<Static>();
    return known ? text(known->object) : source(expression);
  }
  std::string message;
  for (py::handle part : listOf(expression, "values"))
    message += isKind(part, "Constant") ? text(part.attr("value")) : messageOf(part.attr("value"));
  return message;
}

void Statements::assertNode(py::handle node) {
  py::object test = node.attr("test"), message = node.attr("msg");
  auto truth = walker.scalars.truth(test, walker.expressions.evaluate(test));
  const bool *known = std::get_if<bool>(&truth);
  if (known && *known)
    return;
  mlir::Value condition = known ? walker.constant(test, false) : std::get<mlir::Value>(truth);
  std::string source = text(py::module_::import("ast").attr("unparse")(test));
  fault(node, condition, message.is_none() ? "assertion failed: " + source : messageOf(message));
}

void Statements::raiseNode(py::handle node) {
  py::object exception = node.attr("exc");
  std::string message = "raise";
  if (!exception.is_none()) {
    bool isCall = isKind(exception, "Call");
    py::object kind = isCall ? py::object(exception.attr("func")) : exception;
    message = text(py::module_::import("ast").attr("unparse")(kind));
    if (isCall && !listOf(exception, "args").empty())
      message += ": " + messageOf(listOf(exception, "args")[0]);
  }
  fault(node, walker.constant(node, false), message);
  walker.scopes.current().ends.kinds = PathEnds::Raises;
}

} // namespace ttjit::frontend
