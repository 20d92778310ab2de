//===- ControlFlow.cpp - branches and loops at run time ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The types of a loop's carried variables are found by walking its body: when
// they turn out wider than they began (an int that becomes a float, a block
// whose first accumulating store stands in the loop), the loop is walked again.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/ControlFlow.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <fmt/format.h>

using namespace mlir;

namespace ttjit::frontend {

PathState ControlFlow::save() const { return {walker.scopes.current().variables, walker.state}; }

void ControlFlow::restore(PathState state) {
  walker.scopes.current().variables = std::move(state.variables);
  walker.state = std::move(state.thread);
}

//===--------------------------------------------------------------------------===//
// Values that cross the border of a region
//===--------------------------------------------------------------------------===//

Type ControlFlow::typeOf(const Value &value) const {
  if (const BlockExpr *expr = value.getIf<BlockExpr>())
    return expr->value.getType();
  return walker.scalars.typeOf(value);
}

mlir::Value ControlFlow::materialize(py::handle node, const Value &value, Type type) {
  if (const BlockExpr *expr = value.getIf<BlockExpr>())
    return expr->value;
  return walker.scalars.materialize(node, value, type);
}

static Value wrap(mlir::Value value) {
  if (isa<RankedTensorType>(value.getType()))
    return BlockExpr{value};
  return Scalar{value};
}

static Value flagOf(const ThreadState &state, unsigned block) {
  auto it = state.blocks.find(block);
  if (it == state.blocks.end() || !it->second.accumulated)
    return Static{py::int_(0)};
  return Scalar{it->second.accumulated};
}

Value ControlFlow::valueOf(const PathState &state, const Carried &carried) const {
  if (carried.variable.empty())
    return flagOf(state.thread, carried.block);
  auto it = state.variables.find(carried.variable);
  return it == state.variables.end() ? Value(Missing{}) : it->second;
}

void ControlFlow::assign(const Carried &carried, mlir::Value value) {
  if (carried.variable.empty())
    walker.state.blocks[carried.block].accumulated = value;
  else
    walker.scopes.assign(carried.variable, wrap(value));
}

SmallVector<mlir::Value> ControlFlow::materializeAll(py::handle node, const PathState &state,
                                                     const CarriedList &list) {
  SmallVector<mlir::Value> values;
  for (const Carried &carried : list)
    values.push_back(materialize(node, valueOf(state, carried), carried.type));
  return values;
}

// Certainly the same object or SSA value.
static bool same(const Value &a, const Value &b) {
  if (const Static *left = a.getIf<Static>(), *right = b.getIf<Static>(); left && right) {
    if (left->object.is(right->object))
      return true;
    return py::type::of(left->object).is(py::type::of(right->object)) &&
           (PyLong_Check(left->object.ptr()) || PyUnicode_Check(left->object.ptr())) &&
           left->object.equal(right->object);
  }
  if (const Scalar *left = a.getIf<Scalar>(), *right = b.getIf<Scalar>(); left && right)
    return left->value == right->value;
  if (mlir::Value left = blockOperand(a))
    return left == blockOperand(b);
  if (const Transfer *left = a.getIf<Transfer>(), *right = b.getIf<Transfer>(); left && right)
    return left->handle == right->handle;
  if (const TensorPart *left = a.getIf<TensorPart>(), *right = b.getIf<TensorPart>(); left && right)
    return left->slice == right->slice;
  if (const Function *left = a.getIf<Function>(), *right = b.getIf<Function>(); left && right)
    return left->info == right->info;
  const Tuple *left = a.getIf<Tuple>(), *right = b.getIf<Tuple>();
  return left && right &&
         std::equal(left->items.begin(), left->items.end(), right->items.begin(),
                    right->items.end(), same);
}

//===--------------------------------------------------------------------------===//
// Branches
//===--------------------------------------------------------------------------===//

// What both paths leave behind, but with different values that can be joined.
ControlFlow::CarriedList ControlFlow::differences(const PathState &a, const PathState &b) {
  CarriedList list;
  auto consider = [&](Carried carried) {
    Value left = valueOf(a, carried), right = valueOf(b, carried);
    if (same(left, right))
      return;
    carried.type = Scalars::join(typeOf(left), typeOf(right));
    if (carried.type)
      list.push_back(carried);
  };
  for (const auto &[name, value] : a.variables)
    consider({name, 0, {}});
  for (const auto &[id, state] : a.thread.blocks)
    if (b.thread.blocks.count(id))
      consider({"", id, {}});
  return list;
}

// Variables that are no results: those that agree stay, others have no value.
void ControlFlow::joinRest(py::handle node, const PathState &before, const PathState &a,
                           const PathState &b, const CarriedList &results) {
  PathState joined = a;
  joined.thread.keepOnly(before.thread);
  for (const Block &block : b.thread.outstanding) {
    bool isOld = before.thread.blocks.count(block.info->id);
    bool isKnown = llvm::any_of(joined.thread.outstanding,
                                [&](const Block &o) { return o.info->id == block.info->id; });
    if (isOld && !isKnown)
      joined.thread.outstanding.push_back(block);
  }
  llvm::sort(joined.thread.outstanding,
             [](const Block &x, const Block &y) { return x.info->id < y.info->id; });
  int line = walker.diagnostics.range(node).line;
  auto missing = [&](const std::string &name, bool onBoth) {
    joined.variables.insert_or_assign(
        name,
        Missing{fmt::format(
            "variable '{}' has {} of the branches of line {}", name,
            onBoth ? "values of different kinds after each" : "a value after only one", line)});
  };
  for (const auto &[name, value] : b.variables)
    if (!a.variables.count(name))
      missing(name, false);
  for (const auto &[name, value] : a.variables) {
    auto other = b.variables.find(name);
    bool isResult = llvm::any_of(results, [&](const Carried &c) { return c.variable == name; });
    if (other == b.variables.end())
      missing(name, false);
    else if (!isResult && !same(value, other->second) && !value.is<Missing>())
      missing(name, true);
  }
  restore(std::move(joined));
}

// Gives an scf.if without results the results that its regions yield.
static scf::IfOp addResults(OpBuilder &builder, scf::IfOp op, ArrayRef<mlir::Value> thenValues,
                            ArrayRef<mlir::Value> elseValues) {
  auto types = llvm::map_to_vector(thenValues, [](mlir::Value v) { return v.getType(); });
  builder.setInsertionPoint(op);
  auto result = scf::IfOp::create(builder, op.getLoc(), TypeRange(types), op.getCondition(),
                                  /*addThenBlock=*/false, /*addElseBlock=*/false);
  result.getThenRegion().takeBody(op.getThenRegion());
  result.getElseRegion().takeBody(op.getElseRegion());
  result.thenYield()->setOperands(thenValues);
  result.elseYield()->setOperands(elseValues);
  op.erase();
  builder.setInsertionPointAfter(result);
  return result;
}

void ControlFlow::branch(py::handle node, mlir::Value condition, const Action &thenPath,
                         const Action &elsePath) {
  OpBuilder &builder = walker.builder;
  PathState before = save();
  auto op = scf::IfOp::create(builder, walker.location(node), TypeRange(), condition,
                              /*withElseRegion=*/true);
  builder.setInsertionPoint(op.thenYield());
  thenPath();
  PathState thenState = save();
  restore(before);
  builder.setInsertionPoint(op.elseYield());
  elsePath();
  PathState elseState = save();

  CarriedList results = differences(thenState, elseState);
  SmallVector<mlir::Value> elseValues = materializeAll(node, elseState, results);
  builder.setInsertionPoint(op.thenYield());
  SmallVector<mlir::Value> thenValues = materializeAll(node, thenState, results);
  joinRest(node, before, thenState, elseState, results);
  builder.setInsertionPointAfter(op);
  if (results.empty())
    return;
  op = addResults(builder, op, thenValues, elseValues);
  for (auto [carried, value] : llvm::zip(results, op.getResults()))
    assign(carried, value);
}

// Moves the operations of both regions before the op if they may run anyway.
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

Value ControlFlow::choose(py::handle node, mlir::Value condition,
                          const std::function<Value()> &thenValue,
                          const std::function<Value()> &elseValue) {
  OpBuilder &builder = walker.builder;
  PathState before = save();
  auto op = scf::IfOp::create(builder, walker.location(node), TypeRange(), condition,
                              /*withElseRegion=*/true);
  builder.setInsertionPoint(op.thenYield());
  Value a = thenValue();
  restore(before);
  builder.setInsertionPoint(op.elseYield());
  Value b = elseValue();
  restore(std::move(before));
  if (same(a, b) && a.is<Static>()) {
    builder.setInsertionPointAfter(op);
    return a;
  }
  Type type = Scalars::join(typeOf(a), typeOf(b));
  if (!type)
    walker.diagnostics.fail(node, fmt::format("the alternatives of this expression differ: {} and "
                                              "{}",
                                              describe(a), describe(b)));
  mlir::Value second = materialize(node, b, type);
  builder.setInsertionPoint(op.thenYield());
  mlir::Value first = materialize(node, a, type);
  if (!isa<RankedTensorType>(type) && hoist(op)) {
    builder.setInsertionPointAfter(op);
    Location loc = op.getLoc();
    op.erase();
    return Scalar{arith::SelectOp::create(builder, loc, condition, first, second)};
  }
  return wrap(addResults(builder, op, {first}, {second}).getResult(0));
}

//===--------------------------------------------------------------------------===//
// Carried variables of loops
//===--------------------------------------------------------------------------===//

ControlFlow::CarriedList ControlFlow::carriedNames(const PathState &before,
                                                   const std::set<std::string> &assigned) const {
  CarriedList list;
  for (const std::string &name : assigned) {
    auto it = before.variables.find(name);
    if (it == before.variables.end())
      continue;
    if (Type type = typeOf(it->second))
      list.push_back({name, 0, type});
  }
  return list;
}

void ControlFlow::enterLoop(py::handle node, const PathState &before, const CarriedList &carried,
                            const std::set<std::string> &assigned, ArrayRef<BlockArgument> values) {
  for (const std::string &name : assigned) {
    auto it = before.variables.find(name);
    if (it != before.variables.end())
      walker.scopes.assign(
          name,
          Missing{fmt::format("variable '{}' is read in a loop that assigns it later: {} cannot "
                              "be carried from one iteration to the next",
                              name, describe(it->second))});
  }
  for (auto [entry, value] : llvm::zip(carried, values)) {
    BlockArgument argument = value;
    argument.setLoc(argumentLocation(node, entry));
    assign(entry, argument);
  }
}

Location ControlFlow::argumentLocation(py::handle node, const Carried &carried) const {
  Location loc = walker.location(node);
  if (carried.variable.empty())
    return loc;
  return NameLoc::get(walker.builder.getStringAttr(carried.variable), loc);
}

// Compares the end of the body with what was assumed at its start. True if the
// loop must be walked again with the new `carried`.
bool ControlFlow::widen(py::handle node, const PathState &before, CarriedList &carried) {
  PathState after = save();
  bool changed = false;
  CarriedList next;
  for (const Carried &entry : carried) {
    Type type = typeOf(valueOf(after, entry)), joined = Scalars::join(entry.type, type);
    if (isa<RankedTensorType>(entry.type) && type && !joined)
      walker.diagnostics.fail(node,
                              fmt::format("variable '{}' is {} before this loop and {} after an "
                                          "iteration",
                                          entry.variable, describe(valueOf(before, entry)),
                                          describe(valueOf(after, entry))));
    changed |= joined != entry.type;
    if (joined)
      next.push_back({entry.variable, entry.block, joined});
  }
  for (const auto &[id, state] : before.thread.blocks) {
    bool isCarried = llvm::any_of(
        carried, [id = id](const Carried &c) { return c.variable.empty() && c.block == id; });
    if (isCarried || same(flagOf(before.thread, id), flagOf(after.thread, id)))
      continue;
    next.push_back({"", id, walker.builder.getI32Type()});
    changed = true;
  }
  carried = std::move(next);
  return changed;
}

void ControlFlow::leaveLoop(py::handle node, const PathState &before, const CarriedList &carried,
                            const std::set<std::string> &assigned, ValueRange results) {
  PathState state = before;
  state.thread = walker.state;
  state.thread.keepOnly(before.thread);
  int line = walker.diagnostics.range(node).line;
  for (const std::string &name : assigned)
    state.variables.insert_or_assign(
        name, Missing{fmt::format("variable '{}' is assigned in the loop of line {} and has no "
                                  "certain value after it",
                                  name, line)});
  restore(std::move(state));
  for (auto [entry, value] : llvm::zip(carried, results))
    assign(entry, value);
}

//===--------------------------------------------------------------------------===//
// for over range
//===--------------------------------------------------------------------------===//

ControlFlow::Bounds ControlFlow::loopBounds(py::handle node, ArrayRef<Value> bounds) {
  std::optional<int64_t> step = Scalars::staticInt(bounds[2]);
  if (!step)
    walker.diagnostics.fail(node, "the step of a range is known at compile time, found " +
                                      describe(bounds[2]));
  for (const Value &bound : bounds)
    walker.scalars.asI32(node, bound);
  if (*step < 0)
    return downwardBounds(node, bounds, *step);
  return {walker.scalars.asIndex(node, bounds[0]), walker.scalars.asIndex(node, bounds[1]),
          walker.indexConstant(node, *step),
          [this, node](mlir::Value iv) { return walker.scalars.fromIndex(node, iv); }};
}

// scf.for counts upwards: iteration k of n has the value start + k * step.
ControlFlow::Bounds ControlFlow::downwardBounds(py::handle node, ArrayRef<Value> bounds,
                                                int64_t step) {
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(node);
  mlir::Value start = walker.scalars.asIndex(node, bounds[0]);
  mlir::Value stop = walker.scalars.asIndex(node, bounds[1]);
  mlir::Value distance = arith::SubIOp::create(builder, loc, start, stop);
  mlir::Value padded =
      arith::AddIOp::create(builder, loc, distance, walker.indexConstant(node, -step - 1));
  mlir::Value count =
      arith::DivSIOp::create(builder, loc, padded, walker.indexConstant(node, -step));
  auto variable = [this, node, loc, start, step](mlir::Value iv) {
    mlir::Value offset =
        arith::MulIOp::create(walker.builder, loc, iv, walker.indexConstant(node, step));
    return walker.scalars.fromIndex(node,
                                    arith::AddIOp::create(walker.builder, loc, start, offset));
  };
  return {walker.indexConstant(node, 0), count, walker.indexConstant(node, 1), variable};
}

void ControlFlow::forRange(py::handle node, ArrayRef<Value> bounds,
                           const std::set<std::string> &assigned,
                           const std::function<void(Value)> &bind, const Action &body) {
  OpBuilder &builder = walker.builder;
  Bounds range = loopBounds(node, bounds);
  PathState before = save();
  CarriedList carried = carriedNames(before, assigned);
  while (true) {
    SmallVector<mlir::Value> inits = materializeAll(node, before, carried);
    auto loop = scf::ForOp::create(builder, walker.location(node), range.lower, range.upper,
                                   range.step, inits);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    enterLoop(node, before, carried, assigned, loop.getRegionIterArgs());
    Value variable = range.variable(loop.getInductionVar());
    bind(variable);
    loop.getInductionVar().setLoc(variable.getIf<Scalar>()->value.getLoc());
    body();
    if (widen(node, before, carried)) {
      restore(before);
      loop.erase();
      continue;
    }
    if (!inits.empty())
      scf::YieldOp::create(builder, loop.getLoc(), materializeAll(node, save(), carried));
    leaveLoop(node, before, carried, assigned, loop.getResults());
    return;
  }
}

//===--------------------------------------------------------------------------===//
// while
//===--------------------------------------------------------------------------===//

void ControlFlow::whileLoop(py::handle node, const std::set<std::string> &assigned,
                            const std::function<mlir::Value()> &condition, const Action &body) {
  OpBuilder &builder = walker.builder;
  PathState before = save();
  CarriedList carried = carriedNames(before, assigned);
  while (true) {
    SmallVector<mlir::Value> inits = materializeAll(node, before, carried);
    Location loc = walker.location(node);
    SmallVector<Type> types(ValueRange(inits).getTypes());
    SmallVector<Location> locs(inits.size(), loc);
    auto loop = scf::WhileOp::create(builder, loc, types, inits);
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *test = builder.createBlock(&loop.getBefore(), {}, types, locs);
    enterLoop(node, before, carried, assigned, test->getArguments());
    mlir::Value holds = condition();
    scf::ConditionOp::create(builder, loc, holds, test->getArguments());
    mlir::Block *block = builder.createBlock(&loop.getAfter(), {}, types, locs);
    enterLoop(node, before, carried, assigned, block->getArguments());
    body();
    if (widen(node, before, carried)) {
      restore(before);
      loop.erase();
      continue;
    }
    scf::YieldOp::create(builder, loc, materializeAll(node, save(), carried));
    leaveLoop(node, before, carried, assigned, loop.getResults());
    return;
  }
}

} // namespace ttjit::frontend
