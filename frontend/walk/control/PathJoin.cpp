//===- PathJoin.cpp - joins the states of a branch's two paths ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/control/PathJoin.h"

#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/CarriedValues.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

using namespace mlir;

namespace ttjit::frontend {

scf::IfOp addResults(OpBuilder &builder, scf::IfOp op, ArrayRef<mlir::Value> thenValues,
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

PathJoin::PathJoin(Walker &walker, Branch &branch)
    : walker(walker), branch(branch), thenState(savePath(walker)),
      elseState(std::move(branch.other)) {
  if (branch.inElse)
    std::swap(thenState, elseState);
  joined.partial = thenState.partial;
  thenState.partial.forEachDifference(elseState.partial,
                                      [&](const std::string &name, auto *, const NoValue *other) {
                                        if (other)
                                          joined.partial.set(name, {});
                                      });
  joinThread();
  joined.variables = thenState.variables;
  thenState.variables.forEachDifference(
      elseState.variables, [&](const std::string &name, const Value *left, const Value *right) {
        joined.variables.erase(name);
        joinVariable(name, left, right);
      });
  joinHeld();
  joinFlags();
  joinEnds();
}

//===--------------------------------------------------------------------------===//
// Blocks and ends
//===--------------------------------------------------------------------------===//

// Joins the states of the blocks. If one path raised, takes the state of the other path.
void PathJoin::joinThread() {
  const ThreadState &a = thenState.thread, &b = elseState.thread;
  joined.thread = thenState.ends.raises() ? b : a;
  joined.thread.keepOnly(branch.before.thread);
  if (thenState.ends.raises() || elseState.ends.raises())
    return;
  joined.thread.joinGroups(b);
  auto addHeld = [&](const ThreadState::HeldKey &key, auto *, const Block *other) {
    if (other && branch.before.thread.blocks.contains(other->info->id))
      joined.thread.outstanding.set(key, *other);
  };
  a.outstanding.forEachDifference(b.outstanding, addHeld);
  noteUnsure();
}

void PathJoin::noteLost(HeldQueue queue) {
  if (branch.statement)
    walker.held.noteLost(branch.statement, queue);
}

// Notes the buffers of which the two paths hold different numbers of the blocks that were held
// before the branch.
void PathJoin::noteUnsure() {
  HeldQueues before = HeldBlocks::all(branch.before.thread),
             left = HeldBlocks::all(thenState.thread), right = HeldBlocks::all(elseState.thread);
  bool bothFall = thenState.ends.may(PathEnds::Falls) && elseState.ends.may(PathEnds::Falls);
  for (auto &[queue, blocks] : before)
    if (bothFall && left[queue].size() != right[queue].size()) {
      walker.held.tryCountingInBranch(queue);
      joined.thread.unsure.insert(queue);
      noteLost(queue);
    }
  joined.thread.unsure.insert(elseState.thread.unsure.begin(), elseState.thread.unsure.end());
}

// Adds the ids of the blocks that `value` consists of to `ids`.
static void collectBlocks(const Value &value, std::set<unsigned> &ids) {
  if (const Block *block = value.getIf<Block>(); block && !block->info->ticket)
    ids.insert(block->info->id);
  for (const Value &part : value->parts())
    collectBlocks(part, ids);
}

// Returns a Missing with the queue of a block that occurs twice among the parts of `value`; nothing
// if no block does.
static std::optional<Missing> blockOfTwoParts(const Value &value) {
  std::set<unsigned> ids;
  for (const Value &part : value->parts())
    if (const Block *block = part.getIf<Block>();
        block && !block->info->ticket && !ids.insert(block->info->id).second) {
      Missing twice;
      twice.queue = {block->info->buffer, block->info->reserved};
      return twice;
    }
  return std::nullopt;
}

// Asks to count blocks if one is two parts of a result: these may differ on the other path.
void PathJoin::requireDifferentBlocks() {
  for (const Result &result : results)
    for (const std::optional<Value> &value : {result.thenValue, result.elseValue})
      if (std::optional<Missing> twice = value ? blockOfTwoParts(*value) : std::nullopt)
        walker.held.requireKnown(*twice);
}

// Joins the held blocks. Those that both paths acquire become one, even if no variable holds them.
void PathJoin::joinHeld() {
  joined.thread.lost.insert(elseState.thread.lost.begin(), elseState.thread.lost.end());
  requireDifferentBlocks();
  if (thenState.ends.kinds != PathEnds::Falls || elseState.ends.kinds != PathEnds::Falls)
    return;
  std::set<unsigned> known;
  for (const Result &result : results)
    for (const std::optional<Value> &value : {result.thenValue, result.elseValue})
      if (value)
        collectBlocks(*value, known);
  auto unknown = [&](const PathState &path) {
    HeldQueues queues = HeldBlocks::acquiredSince(branch.before.thread, path.thread);
    for (auto &[queue, blocks] : queues)
      llvm::erase_if(blocks, [&](const Block &block) { return known.count(block.info->id); });
    return queues;
  };
  HeldQueues left = unknown(thenState), right = unknown(elseState);
  for (auto &[queue, blocks] : right)
    left.try_emplace(queue);
  for (auto &[queue, blocks] : left)
    joinHeld(queue, blocks, right[queue]);
}

void PathJoin::joinHeld(HeldQueue queue, ArrayRef<Block> left, ArrayRef<Block> right) {
  if (left.size() != right.size()) {
    joined.thread.lost.insert(queue);
    noteLost(queue);
    return;
  }
  for (auto [a, b] : llvm::zip_equal(left, right))
    if (CarriedKind kind = joinKinds(a, b); kind.isOneIRValue() && kind.block)
      results.push_back({{kind, Value(a), Value(b)}, [](const Value &) {}});
}

void PathJoin::joinFlags() {
  Type flag = walker.builder.getI32Type();
  auto unlessRaised = [](const PathState &path, const Value &value) {
    return path.ends.raises() ? std::nullopt : std::optional(value);
  };
  auto join = [&](unsigned id, auto *, auto *) {
    Value left = thenState.thread.flagOf(id), right = elseState.thread.flagOf(id);
    if (!joined.thread.blocks.contains(id) || areSame(left, right))
      return;
    results.push_back(
        {{{flag, nullptr, {}, {}}, unlessRaised(thenState, left), unlessRaised(elseState, right)},
         [this, id](const Value &value) { walker.state.setFlag(id, value); }});
  };
  thenState.thread.blocks.forEachDifference(elseState.thread.blocks, join);
}

void PathJoin::joinEnds() {
  PathEnds &ends = joined.ends;
  ends.kinds = PathEnds::join(thenState.ends.kinds, elseState.ends.kinds);
  if (!ends.isMixed())
    return;
  auto codeOf = [&](const PathEnds &path) -> std::optional<Value> {
    if (path.raises())
      return std::nullopt;
    return path.code ? Value(Scalar{path.code}) : Value(Static{py::int_(path.kinds)});
  };
  results.push_back(
      {{{walker.builder.getI32Type(), nullptr, {}, {}},
        codeOf(thenState.ends),
        codeOf(elseState.ends)},
       [this](const Value &value) { walker.scopes.current().ends.code = value->irValue(); }});
}

//===--------------------------------------------------------------------------===//
// Variables
//===--------------------------------------------------------------------------===//

// Returns the value's description with the name of its tensor or buffer.
static std::string describeWithOwner(const Kernel &kernel, const Value &value) {
  if (const TensorSlice *part = value.getIf<TensorSlice>())
    return fmt::format("a slice of tensor '{}'{}", kernel.tensors[part->tensor].name,
                       part->sizes.empty() ? "" : " of shape " + shapeText(part->sizes));
  if (const Block *block = value.getIf<Block>())
    return fmt::format("{} of '{}'{}", describe(value), kernel.buffers[block->info->buffer].name,
                       block->info->reserved ? ", which was reserved" : "");
  return describe(value);
}

// Returns how two values differ that cannot become one run-time value: ", a slice of tensor 'a' of
// shape (1, 1) and a slice of tensor 'b' of shape (1, 1)". Empty if their descriptions are equal.
static std::string differenceOf(const Kernel &kernel, const Value &left, const Value &right) {
  std::string one = describeWithOwner(kernel, left), other = describeWithOwner(kernel, right);
  return one == other ? "" : ", " + one + " and " + other;
}

// `value`: the variable's value after one of the paths. `difference`: how those of both paths
// differ.
void PathJoin::missing(const std::string &name, const char *what, const Value &value,
                       const std::string &difference) {
  if (name == kReturnValue) { // reported at the function's end
    Missing none;
    none.difference = difference;
    return joined.variables.set(name, std::move(none));
  }
  int line = walker.diagnostics.range(branch.node).line;
  Missing none{
      fmt::format("variable '{}' has {} of the branches of line {}{}: assign it a value of "
                  "one kind in both branches",
                  name, what, line, difference)};
  if (const Block *block = value.getIf<Block>())
    none.queue = {block->info->buffer, block->info->reserved};
  joined.variables.set(name, std::move(none));
}

void PathJoin::addResult(const std::string &name, BranchResult result) {
  results.push_back(
      {std::move(result), [this, name](const Value &value) { walker.scopes.assign(name, value); }});
}

// Makes a variable that only one path reads again available after the branch.
void PathJoin::adopt(const std::string &name, const Value &value, bool isThen) {
  if (value.is<Missing>() || walker.carried.isOutside(value, branch.op)) {
    joined.variables.set(name, value);
    return;
  }
  CarriedKind kind = walker.carried.leaving(
      walker.carried.kindOf(isThen ? thenState.thread : elseState.thread, value), branch.op);
  if (!CarriedValues::hasPlaceholder(kind))
    return missing(name, "a value made inside only one", value);
  BranchResult result{kind, std::nullopt, std::nullopt};
  (isThen ? result.thenValue : result.elseValue) = value;
  addResult(name, std::move(result));
}

// Returns the kind, unless it is a block that both paths hold, which cannot be the result of one of
// them. Then returns the kind of a block expression of the block's elements.
CarriedKind PathJoin::withoutAliases(CarriedKind kind, const Value &left,
                                     const Value &right) const {
  bool isAlias = kind.isOneIRValue() && kind.block &&
                 (elseState.thread.isHeld(*left.getIf<Block>()->info) ||
                  thenState.thread.isHeld(*right.getIf<Block>()->info));
  if (isAlias)
    return walker.carried.asExpression(kind);
  if (kind.parts.empty())
    return kind;
  std::vector<Value> lefts = left->parts(), rights = right->parts();
  for (size_t i = 0; i < kind.parts.size(); ++i) {
    kind.parts[i] = withoutAliases(std::move(kind.parts[i]), lefts[i], rights[i]);
    if (!kind.parts[i])
      return {};
  }
  return kind;
}

CarriedKind PathJoin::joinKinds(const Value &left, const Value &right) const {
  CarriedKind kind = walker.carried.join(walker.carried.kindOf(thenState.thread, left),
                                         walker.carried.kindOf(elseState.thread, right));
  return withoutAliases(std::move(kind), left, right);
}

static bool readsLater(const PathEnds &ends, const std::string &name) {
  return ends.may(name == kReturnValue ? unsigned(PathEnds::Returns)
                                       : PathEnds::Falls | PathEnds::Continues | PathEnds::Breaks);
}

// `left` and `right`: the values after the two paths, null if there is none.
void PathJoin::joinVariable(const std::string &name, const Value *left, const Value *right) {
  for (const Value *value : {left, right})
    if (const Missing *none = value ? value->getIf<Missing>() : nullptr; none && none->isPoisoned)
      return joined.variables.set(name, *none);
  bool leftRead = readsLater(thenState.ends, name), rightRead = readsLater(elseState.ends, name);
  if (leftRead && rightRead)
    return left && right ? joinValues(name, *left, *right) : joinOneValue(name, left, right);
  if (leftRead)
    return left ? adopt(name, *left, true) : void();
  if (rightRead)
    return right ? adopt(name, *right, false) : void();
  // A loop around the branch still compares the values at the start and the end of its body.
  if (const Value *old = branch.before.variables.find(name))
    joined.variables.set(name, *old);
}

// Joins the values of a variable that both paths have, and that is read behind both.
void PathJoin::joinValues(const std::string &name, const Value &left, const Value &right) {
  if (areSame(left, right))
    return joined.variables.set(name, left);
  if (left.is<Missing>() || right.is<Missing>())
    return joined.variables.set(name, left.is<Missing>() ? left : right);
  CarriedKind kind = joinKinds(left, right);
  if (kind)
    addResult(name, {kind, left, right});
  else
    missing(name, "values of different kinds after each", left.is<Block>() ? left : right,
            differenceOf(walker.kernel, left, right));
}

// Joins a variable that only one path has, and that is read behind both.
void PathJoin::joinOneValue(const std::string &name, const Value *left, const Value *right) {
  const Value &value = left ? *left : *right;
  if (value.is<Missing>())
    return joined.variables.set(name, value);
  // A path that leaves a loop's body need not have the variables that the rest of the body reads.
  const PathState &without = left ? elseState : thenState;
  const Block *block = value.getIf<Block>();
  bool isCounted = block && block->info->ticket;
  if (without.ends.may(PathEnds::Falls) && !isCounted)
    return missing(name, "a value after only one", value);
  if (!without.ends.may(PathEnds::Falls))
    joined.partial.set(name, {});
  adopt(name, value, left != nullptr);
}

//===--------------------------------------------------------------------------===//
// Results
//===--------------------------------------------------------------------------===//

SmallVector<mlir::Value> PathJoin::materialize(Operation *yield, const ThreadState &state,
                                               std::optional<Value> BranchResult::*path) {
  walker.builder.setInsertionPoint(yield);
  SmallVector<mlir::Value> values;
  for (const Result &result : results) {
    if (const std::optional<Value> &value = result.*path)
      walker.carried.materialize(branch.node, state, *value, result.kind, values);
    else
      walker.carried.placeholder(branch.node, result.kind, values);
  }
  return values;
}

scf::IfOp PathJoin::finish() {
  scf::IfOp op = branch.op;
  auto elseValues = materialize(op.elseYield(), elseState.thread, &BranchResult::elseValue);
  auto thenValues = materialize(op.thenYield(), thenState.thread, &BranchResult::thenValue);
  restorePath(walker, std::move(joined));
  walker.builder.setInsertionPointAfter(op);
  if (!thenValues.empty())
    op = addResults(walker.builder, op, thenValues, elseValues);
  ValueRange values = op.getResults();
  for (const Result &result : results) {
    if (result.kind.block)
      noteLost({result.kind.block->buffer, result.kind.block->reserved});
    SmallVector<Value> replaced;
    for (const std::optional<Value> &path : {result.thenValue, result.elseValue})
      if (path)
        replaced.push_back(*path);
    result.bind(walker.carried.wrap(values, result.kind, replaced));
  }
  return op;
}

} // namespace ttjit::frontend
