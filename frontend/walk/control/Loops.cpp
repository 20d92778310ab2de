//===- Loops.cpp - loops at run time ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To find the kinds of the variables that a loop carries, the walk walks the loop's body. A kind
// may turn out wider than it was at the start: an int becomes a float, a block becomes a block
// expression, or a block gets its first store inside the loop. The loop is then walked
// again with the wider kinds.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/UnrolledLoops.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/CarriedValues.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/control/LoopExits.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Carried variables
//===--------------------------------------------------------------------------===//

Value ControlFlow::valueOf(const PathState &state, const Carried &carried) const {
  if (carried.variable.empty())
    return state.thread.flagOf(carried.block);
  const Value *value = state.variables.find(carried.variable);
  return value ? *value : Value(Missing{});
}

// The hidden variables that carry held blocks. No name in Python contains a space.
static constexpr char kHeldBlock[] = "held block ";

static bool isHidden(StringRef variable) { return variable.starts_with(kHeldBlock); }

// Assigns a carried variable the IR values at the front of `values`, and removes them there. A new
// block replaces the block that the variable held before the loop.
void ControlFlow::assign(const Carried &carried, const PathState &before, ValueRange &values) {
  Value value = walker.carried.wrap(values, carried.kind, {valueOf(before, carried)});
  if (carried.variable.empty())
    walker.state.setFlag(carried.block, value);
  else
    walker.scopes.assign(carried.variable, value);
}

SmallVector<mlir::Value> ControlFlow::materializeAll(py::handle node, const PathState &state,
                                                     const CarriedList &list) {
  SmallVector<mlir::Value> values;
  for (const Carried &carried : list)
    walker.carried.materialize(node, state.thread, valueOf(state, carried), carried.kind, values);
  return values;
}

ControlFlow::CarriedList ControlFlow::carriedNames(const PathState &before,
                                                   const std::set<std::string> &assigned) const {
  CarriedList list;
  for (const std::string &name : assigned) {
    Carried entry{name, 0, {}};
    entry.kind = walker.carried.kindInLoop(before.thread, valueOf(before, entry));
    if (entry.kind)
      list.push_back(std::move(entry));
  }
  return list;
}

// Says why a variable whose value is `value` on some path cannot be read.
static Missing unusable(const Value &value, std::string reason, bool needsStatic = false) {
  Missing missing{std::move(reason), /*isPoisoned=*/false, needsStatic};
  if (const Block *block = value.getIf<Block>())
    missing.queue = {block->info->buffer, block->info->reserved};
  return missing;
}

void ControlFlow::enterLoop(py::handle node, const PathState &before, const CarriedList &carried,
                            const std::set<std::string> &assigned, ArrayRef<BlockArgument> values) {
  for (const std::string &name : assigned) {
    const Value *value = before.variables.find(name);
    if (!value)
      continue;
    const Missing *missing = value->getIf<Missing>();
    walker.scopes.assign(
        name, missing && missing->isPoisoned
                  ? *missing
                  : unusable(*value,
                             fmt::format("variable '{}' is read in a loop that assigns it "
                                         "later, but its value, {}, cannot be carried from "
                                         "one iteration to the next: {}",
                                         name, describe(*value), adviceOnCarrying(*value)),
                             /*needsStatic=*/true));
  }
  SmallVector<mlir::Value> arguments(values);
  ValueRange rest = arguments;
  for (const Carried &entry : carried) {
    for (mlir::Value argument : rest.take_front(CarriedValues::count(entry.kind)))
      argument.setLoc(argumentLocation(node, entry));
    assign(entry, before, rest);
  }
}

Location ControlFlow::argumentLocation(py::handle node, const Carried &carried) const {
  Location loc = walker.location(node);
  bool isUsers = !carried.variable.empty() && !StringRef(carried.variable).contains(' ');
  if (!isUsers)
    return loc;
  return NameLoc::get(walker.builder.getStringAttr(carried.variable), loc);
}

// Returns whether a variable holds, at the end of a loop's body, the block that the loop passed in
// as its argument `number`, the induction variable not counted: `out = store(out, x)`.
static bool isPassedIn(const Value &value, mlir::Block *body, size_t number) {
  auto argument = dyn_cast_or_null<BlockArgument>(value->irValue());
  if (!value.is<Block>() || !argument || argument.getOwner() != body)
    return false;
  return argument.getArgNumber() == number + isa<scf::ForOp>(body->getParentOp());
}

// Compares the kinds at the end of the body with the kinds assumed at its start. Returns true if
// the loop must be walked again with the new `carried`.
bool ControlFlow::widen(py::handle node, PathState &before, CarriedList &carried) {
  PathState after = savePath(walker);
  bool changed = false;
  CarriedList next;
  size_t number = 0;
  for (const Carried &entry : carried) {
    Value value = valueOf(after, entry);
    bool isSameBlock = isPassedIn(value, walker.builder.getInsertionBlock(), number) &&
                       after.thread.isHeld(*value.getIf<Block>()->info);
    number += CarriedValues::count(entry.kind);
    if (isSameBlock) { // the body uses the block under its name from before the loop
      next.push_back(
          {entry.variable, 0, walker.carried.kindOf(before.thread, valueOf(before, entry))});
      changed = true;
      continue;
    }
    // An error in the loop made the variable unusable. It is then unusable from the start of the
    // loop.
    if (const Missing *missing = value.getIf<Missing>(); missing && missing->isPoisoned)
      before.variables.set(entry.variable, *missing);
    CarriedKind kind = walker.carried.kindOf(after.thread, value),
                joined = walker.carried.join(entry.kind, kind);
    bool isExpression = entry.kind.type && ttl::isBlockTensor(entry.kind.type);
    if (isExpression && kind && !joined)
      walker.diagnostics.fail(
          node, fmt::format("variable '{}' must keep its kind in a loop, but it is {} before this "
                            "loop and {} after an iteration",
                            entry.variable, describe(valueOf(before, entry)), describe(value)));
    changed |= !(joined == entry.kind);
    if (joined)
      next.push_back({entry.variable, entry.block, joined});
  }
  auto carryFlag = [&](unsigned id, const Value *old, auto *) {
    bool isCarried = llvm::any_of(
        carried, [id](const Carried &c) { return c.variable.empty() && c.block == id; });
    if (!old || isCarried || areSame(before.thread.flagOf(id), after.thread.flagOf(id)))
      return;
    next.push_back({"", id, {walker.builder.getI32Type(), nullptr, {}, {}}});
    changed = true;
  };
  before.thread.blocks.forEachDifference(after.thread.blocks, carryFlag);
  carried = std::move(next);
  return changed;
}

void ControlFlow::leaveLoop(py::handle node, const PathState &before, const CarriedList &carried,
                            const std::set<std::string> &assigned, ValueRange results, bool runs) {
  noteLost(node, before, carried);
  PathState state = before, after = savePath(walker);
  state.thread = after.thread;
  state.thread.keepOnly(before.thread);
  int line = walker.diagnostics.range(node).line;
  for (const std::string &name : assigned) {
    Value last = valueOf(after, {name, 0, {}});
    const Missing *missing = last.getIf<Missing>();
    state.variables.set(
        name, missing && missing->isPoisoned
                  ? *missing
                  : unusable(last, fmt::format("variable '{}' is assigned in the loop of line {} "
                                               "and may have no value after the loop: assign it "
                                               "before the loop, with a value of the same kind",
                                               name, line)));
  }
  returnBlocks(before, carried, state.thread);
  restorePath(walker, std::move(state));
  for (const Carried &entry : carried) {
    assign(entry, before, results);
    if (isHidden(entry.variable))
      walker.scopes.current().variables.erase(entry.variable);
    // The loop runs and ends with a known flag, so that each iteration leaves this flag.
    if (Value flag = valueOf(after, entry); runs && entry.variable.empty() && flag.is<Static>())
      walker.state.setFlag(entry.block, flag);
  }
}

// Adds the ids of the blocks that a carried value consists of to `ids`.
static void collectBlocks(const Value &value, const CarriedKind &kind, std::set<unsigned> &ids) {
  if (kind.isOneIRValue() && kind.block)
    ids.insert(value.getIf<Block>()->info->id);
  std::vector<Value> parts = value->parts();
  for (size_t i = 0; i < kind.parts.size(); ++i)
    collectBlocks(parts[i], kind.parts[i], ids);
}

std::set<unsigned> ControlFlow::carriedBlocks(const PathState &state,
                                              const CarriedList &carried) const {
  std::set<unsigned> ids;
  for (const Carried &entry : carried)
    collectBlocks(valueOf(state, entry), entry.kind, ids);
  return ids;
}

// Marks the blocks that were passed into the loop as held again, in their old order. The loop's
// results then replace these blocks.
void ControlFlow::returnBlocks(const PathState &before, const CarriedList &carried,
                               ThreadState &thread) const {
  std::set<unsigned> taken = carriedBlocks(before, carried);
  auto held = before.thread.outstanding;
  auto drop = [&](const ThreadState::HeldKey &key, const Block *own, const Block *now) {
    if (own && !taken.count(own->info->id) && !(now && now->info->id == own->info->id))
      held.erase(key);
  };
  before.thread.outstanding.forEachDifference(thread.outstanding, drop);
  thread.outstanding = std::move(held);
}

//===--------------------------------------------------------------------------===//
// Held blocks
//===--------------------------------------------------------------------------===//

// Notes the blocks that the loop's body acquires and holds at its end, and that no variable carries
// out of the loop.
void ControlFlow::noteLost(py::handle node, const PathState &before, const CarriedList &carried) {
  PathState after = savePath(walker);
  std::set<unsigned> known = carriedBlocks(after, carried);
  for (auto &[queue, blocks] : HeldBlocks::acquiredSince(before.thread, after.thread))
    if (llvm::any_of(blocks, [&](const Block &block) { return !known.count(block.info->id); }))
      walker.state.lost.insert(queue);
  for (HeldQueue queue : walker.state.lost)
    if (!before.thread.lost.count(queue))
      walker.held.noteLost(node, queue);
}

// Makes the loop carry counted blocks whose variables have no value before the loop. Ticket 0 is
// that of no block. Returns whether the loop must be walked again for that.
bool ControlFlow::carryCounted(const std::set<std::string> &assigned, PathState &before,
                               CarriedList &carried) {
  if (walker.counted.empty())
    return false;
  size_t numCarried = carried.size();
  PathState after = savePath(walker);
  for (const std::string &name : assigned) {
    Value last = valueOf(after, {name, 0, {}});
    const Block *block = last.getIf<Block>();
    const Value *first = before.variables.find(name);
    if (!block || !block->info->ticket || (first && !first->is<Missing>()))
      continue;
    Value none = last->withParts({Static{py::int_(0)}});
    before.variables.set(name, none);
    carried.push_back({name, 0, walker.carried.kindInLoop(before.thread, none)});
  }
  return carried.size() != numCarried;
}

static bool isSame(const Block &a, const Block &b) { return a.info->id == b.info->id; }

// An iteration may release blocks that an earlier one acquired, and leave others for the next one.
// Makes the loop carry such blocks in hidden variables. Returns whether the loop must be walked
// again for that. `start`: the blocks that were held at the start of the body.
bool ControlFlow::carryHeld(py::handle node, const HeldQueues &start, PathState &before,
                            CarriedList &carried) {
  if (walker.scopes.current().ends.may(PathEnds::Breaks | PathEnds::Returns))
    return false;
  HeldQueues end = HeldBlocks::all(walker.state);
  bool changed = false;
  for (auto &[queue, blocks] : start)
    changed |= carryHeld(node, queue, blocks, end[queue], before, carried);
  return changed;
}

bool ControlFlow::carryHeld(py::handle node, HeldQueue queue, ArrayRef<Block> start,
                            ArrayRef<Block> end, PathState &before, CarriedList &carried) {
  bool staysHeld =
      end.size() >= start.size() && std::equal(start.begin(), start.end(), end.begin(), isSame);
  if (staysHeld || !walker.held.isReleasedAsOldest(start.front()))
    return false;
  // Blocks cannot be carried in compute threads, and a loop cannot carry more blocks after each
  // iteration.
  if (walker.unrolled.canUnroll() &&
      (walker.kind != ThreadKind::DataMovement || start.size() != end.size()))
    walker.diagnostics.failNeedsStatic(node, "this loop releases blocks acquired before it");
  if (start.size() != end.size()) {
    walker.held.tryCountingInLoop(queue);
    return false;
  }
  std::set<unsigned> known = carriedBlocks(before, carried);
  std::vector<Block> blocks = HeldBlocks::all(before.thread)[queue];
  size_t numCarried = carried.size();
  for (auto [place, block] : llvm::enumerate(blocks)) {
    std::string name = fmt::format("{}{} {} {}", kHeldBlock, queue.first, queue.second, place);
    CarriedKind kind = walker.carried.kindInLoop(before.thread, block);
    if (llvm::any_of(carried, [&](const Carried &entry) { return entry.variable == name; })) {
      walker.scopes.assign(name, end[place]);
    } else if (kind && !known.count(block.info->id)) {
      before.variables.set(name, block);
      carried.push_back({name, 0, std::move(kind)});
    }
  }
  return carried.size() != numCarried;
}

//===--------------------------------------------------------------------------===//
// Loops over range()
//===--------------------------------------------------------------------------===//

ControlFlow::Bounds ControlFlow::loopBounds(py::handle node, ArrayRef<Value> bounds) {
  std::optional<int64_t> step = Scalars::staticInt(bounds[2]);
  if (!step)
    walker.diagnostics.fail(node, "the step of a range must be known at compile time, found " +
                                      describe(bounds[2]));
  for (const Value &bound : bounds)
    walker.scalars.asI32(node, bound);
  if (*step < 0)
    return downwardBounds(node, bounds, *step);
  return {walker.scalars.asIndex(node, bounds[0]), walker.scalars.asIndex(node, bounds[1]),
          walker.indexConstant(node, *step),
          [this, node](mlir::Value iv) { return walker.scalars.fromIndex(node, iv); }};
}

// Computes the bounds of a loop that counts down. An scf.for counts up, so iteration k of n has the
// value start + k * step.
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

// Returns the variables among `assigned` that the loop may change: `block += x` changes the
// contents of the variable's block.
std::set<std::string> ControlFlow::changedIn(py::handle loop,
                                             const std::set<std::string> &assigned) const {
  std::set<std::string> changed;
  for (const std::string &name : assigned) {
    const Value *value = walker.scopes.current().find(name);
    if (!value || !value->is<Block>() || walker.scopes.assignedNames.rebinds(loop, name))
      changed.insert(name);
  }
  return changed;
}

// Called after the body of a loop. Returns whether the loop must carry more than `carried` says. If
// so, the path is the one before the loop, and the caller creates the loop again.
bool ControlFlow::carryMore(py::handle node, const HeldQueues &held,
                            const std::set<std::string> &assigned, PathState &before,
                            CarriedList &carried) {
  bool more = carryHeld(node, held, before, carried) || carryCounted(assigned, before, carried) ||
              widen(node, before, carried);
  if (more)
    restorePath(walker, before);
  return more;
}

mlir::Value ControlFlow::forRange(py::handle node, ArrayRef<Value> bounds,
                                  const std::set<std::string> &assignedNames,
                                  const std::function<void(Value)> &bind, const Action &body) {
  checkDepth(node);
  OpBuilder &builder = walker.builder;
  Bounds range = loopBounds(node, bounds);
  std::set<std::string> assigned = changedIn(node, assignedNames);
  PathState before = savePath(walker);
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
    HeldQueues held = HeldBlocks::all(walker.state);
    body();
    if (carryMore(node, held, assigned, before, carried)) {
      loop.erase();
      continue;
    }
    return finishFor(node, before, carried, assigned, loop);
  }
}

// Returns whether the loop certainly runs at least once.
static bool runsOnce(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper;
}

// Returns whether the loop uses a block. Being passed on by the loop's condition is no use of it.
static bool isUsedBlock(BlockArgument argument) {
  auto isUse = [](Operation *user) { return !isa<scf::ConditionOp>(user); };
  return isa<ttl::BlockType>(argument.getType()) && llvm::any_of(argument.getUsers(), isUse);
}

static void requireNames(HeldBlocks &held, const CarriedKind &kind) {
  if (kind.block)
    held.requireNameInLoop(*kind.block);
  for (const CarriedKind &part : kind.parts)
    requireNames(held, part);
}

// Asks for the names of the carried blocks that the loop's body uses. Only the last walk of the
// body asks: an earlier one may carry a block where the last one carries an expression of its
// elements.
static void requireNames(HeldBlocks &held, const auto &carried, ArrayRef<BlockArgument> arguments) {
  for (const auto &entry : carried) {
    size_t count = CarriedValues::count(entry.kind);
    if (llvm::any_of(arguments.take_front(count), isUsedBlock))
      requireNames(held, entry.kind);
    arguments = arguments.drop_front(count);
  }
}

// Completes the loop. The builder must be at the end of the loop's body.
mlir::Value ControlFlow::finishFor(py::handle node, const PathState &before,
                                   const CarriedList &carried,
                                   const std::set<std::string> &assigned, scf::ForOp loop) {
  OpBuilder &builder = walker.builder;
  if (walker.kind == ThreadKind::Compute && walker.unrolled.canUnroll() &&
      llvm::any_of(loop.getRegionIterArgs(), isUsedBlock))
    walker.diagnostics.failNeedsStatic(node, "loops of compute threads cannot carry blocks");
  requireNames(walker.held, carried, loop.getRegionIterArgs());
  SmallVector<mlir::Value> yields = materializeAll(node, savePath(walker), carried);
  bool runs = runsOnce(loop);
  if (!walker.scopes.current().ends.may(PathEnds::Breaks | PathEnds::Returns)) {
    if (!yields.empty())
      scf::YieldOp::create(builder, loop.getLoc(), yields);
    leaveLoop(node, before, carried, assigned, loop.getResults(), runs);
    return {};
  }
  Exit exit = makeExit(node, loop);
  scf::WhileOp result = makeWhile(builder, loop, yields, exit.inits, exit.yields);
  ValueRange results = result.getResults();
  leaveLoop(node, before, carried, assigned, results.slice(1, yields.size()), runs);
  leaveExit(exit, results.drop_front(1 + yields.size()));
  return results[1 + yields.size()];
}

//===--------------------------------------------------------------------------===//
// while loops
//===--------------------------------------------------------------------------===//

mlir::Value ControlFlow::whileLoop(py::handle node, const std::set<std::string> &assignedNames,
                                   const std::function<mlir::Value()> &condition,
                                   const Action &body) {
  checkDepth(node);
  OpBuilder &builder = walker.builder;
  std::set<std::string> assigned = changedIn(node, assignedNames);
  PathState before = savePath(walker);
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
    walker.state = before.thread;
    enterLoop(node, before, carried, assigned, block->getArguments());
    HeldQueues held = HeldBlocks::all(walker.state);
    body();
    if (carryMore(node, held, assigned, before, carried)) {
      loop.erase();
      continue;
    }
    return finishWhile(node, before, carried, assigned, loop);
  }
}

mlir::Value ControlFlow::finishWhile(py::handle node, const PathState &before,
                                     const CarriedList &carried,
                                     const std::set<std::string> &assigned, scf::WhileOp loop) {
  OpBuilder &builder = walker.builder;
  requireNames(walker.held, carried, loop.getBeforeArguments());
  requireNames(walker.held, carried, loop.getAfterArguments());
  SmallVector<mlir::Value> yields = materializeAll(node, savePath(walker), carried);
  const PathEnds &ends = walker.scopes.current().ends;
  if (!ends.may(PathEnds::Breaks | PathEnds::Returns)) {
    scf::YieldOp::create(builder, loop.getLoc(), yields);
    leaveLoop(node, before, carried, assigned, loop.getResults(), /*runs=*/false);
    return {};
  }
  Exit exit = makeExit(node, loop);
  // A `while True` without `break` can only end by `return`.
  if (matchPattern(loop.getConditionOp().getCondition(), m_One()) && !ends.may(PathEnds::Breaks))
    exit.ends.kinds = PathEnds::Returns;
  scf::WhileOp result = addExit(builder, loop, yields, exit.inits, exit.yields);
  ValueRange results = result.getResults();
  leaveLoop(node, before, carried, assigned, results.take_front(yields.size()),
            /*runs=*/false);
  leaveExit(exit, results.drop_front(yields.size()));
  return results[yields.size()];
}

} // namespace ttjit::frontend
