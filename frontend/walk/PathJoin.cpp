//===- PathJoin.cpp - one state after the two paths of a branch -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/PathJoin.h"

#include "frontend/walk/Walker.h"

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
    : walker(walker), branch(branch), thenState(walker.controlFlow.save()),
      elseState(std::move(branch.other)) {
  if (branch.inElse)
    std::swap(thenState, elseState);
  joined.partial = thenState.partial;
  joined.partial.insert(elseState.partial.begin(), elseState.partial.end());
  joinThread();
  std::set<std::string> names;
  for (const PathState *state : {&thenState, &elseState})
    for (const auto &[name, value] : state->variables)
      names.insert(name);
  for (const std::string &name : names)
    joinVariable(name);
  joinFlags();
  joinEnds();
}

const Value *PathJoin::keep(Value value) {
  kept.push_back(std::make_unique<Value>(std::move(value)));
  return kept.back().get();
}

//===--------------------------------------------------------------------------===//
// Blocks and ends
//===--------------------------------------------------------------------------===//

// A path that raised holds what the other one holds.
void PathJoin::joinThread() {
  const ThreadState &a = thenState.thread, &b = elseState.thread;
  joined.thread = thenState.ends.raises() ? b : a;
  joined.thread.keepOnly(branch.before.thread);
  if (thenState.ends.raises() || elseState.ends.raises())
    return;
  joined.thread.joinGroups(b);
  for (const Block &block : b.outstanding)
    if (branch.before.thread.blocks.count(block.info->id) && !joined.thread.isHeld(*block.info))
      joined.thread.outstanding.push_back(block);
  llvm::sort(joined.thread.outstanding,
             [](const Block &x, const Block &y) { return x.info->id < y.info->id; });
}

void PathJoin::joinFlags() {
  Type flag = walker.builder.getI32Type();
  for (auto &[id, state] : joined.thread.blocks) {
    Value left = thenState.thread.flagOf(id), right = elseState.thread.flagOf(id);
    if (CarriedValues::same(left, right))
      continue;
    Result result{{{flag, nullptr},
                   thenState.ends.raises() ? nullptr : keep(left),
                   elseState.ends.raises() ? nullptr : keep(right)},
                  [this, id = id](mlir::Value value, const CarriedKind &) {
                    walker.state.blocks[id].accumulated = value;
                  }};
    results.push_back(std::move(result));
  }
}

void PathJoin::joinEnds() {
  PathEnds &ends = joined.ends;
  ends.kinds = PathEnds::join(thenState.ends.kinds, elseState.ends.kinds);
  if (!ends.isMixed())
    return;
  auto codeOf = [&](const PathEnds &path) -> const Value * {
    if (path.raises())
      return nullptr;
    return keep(path.code ? Value(Scalar{path.code}) : Value(Static{py::int_(path.kinds)}));
  };
  results.push_back(
      {{{walker.builder.getI32Type(), nullptr}, codeOf(thenState.ends), codeOf(elseState.ends)},
       [this](mlir::Value value, const CarriedKind &) {
         walker.scopes.current().ends.code = value;
       }});
}

//===--------------------------------------------------------------------------===//
// Variables
//===--------------------------------------------------------------------------===//

void PathJoin::missing(const std::string &name, const char *what) {
  int line = walker.diagnostics.range(branch.node).line;
  joined.variables.insert_or_assign(
      name,
      Missing{fmt::format("variable '{}' has {} of the branches of line {}", name, what, line)});
}

void PathJoin::addResult(const std::string &name, BranchResult result) {
  results.push_back({result, [this, name, result](mlir::Value value, const CarriedKind &kind) {
                       std::vector<unsigned> replaced;
                       for (const Value *path : {result.thenValue, result.elseValue})
                         if (const Block *block = path ? path->getIf<Block>() : nullptr)
                           replaced.push_back(block->info->id);
                       walker.scopes.assign(name, walker.carried.wrap(value, kind, replaced));
                     }});
}

// Only one path reads the variable again.
void PathJoin::adopt(const std::string &name, const Value &value, bool isThen) {
  if (value.is<Missing>() || CarriedValues::isOutside(value, branch.op)) {
    joined.variables.insert_or_assign(name, value);
    return;
  }
  CarriedKind kind = walker.carried.kindOf(isThen ? thenState.thread : elseState.thread, value);
  if (!walker.carried.hasPlaceholder(kind))
    return missing(name, "a value made inside only one");
  addResult(name, {kind, isThen ? &value : nullptr, isThen ? nullptr : &value});
}

CarriedKind PathJoin::joinKinds(const Value &left, const Value &right) const {
  CarriedKind kind = walker.carried.join(walker.carried.kindOf(thenState.thread, left),
                                         walker.carried.kindOf(elseState.thread, right));
  // A block that both paths hold cannot be the result of one of them.
  bool isAlias = kind.block && (elseState.thread.isHeld(*left.getIf<Block>()->info) ||
                                thenState.thread.isHeld(*right.getIf<Block>()->info));
  return isAlias ? walker.carried.asExpression(kind) : kind;
}

static bool readsLater(const PathEnds &ends, const std::string &name) {
  return ends.may(name == kReturnValue ? unsigned(PathEnds::Returns)
                                       : PathEnds::Falls | PathEnds::Continues | PathEnds::Breaks);
}

void PathJoin::joinVariable(const std::string &name) {
  auto find = [&](const PathState &state) -> const Value * {
    auto it = state.variables.find(name);
    return it == state.variables.end() ? nullptr : &it->second;
  };
  const Value *left = find(thenState), *right = find(elseState);
  for (const Value *value : {left, right})
    if (const Missing *none = value ? value->getIf<Missing>() : nullptr; none && none->isPoisoned) {
      joined.variables.insert_or_assign(name, *none);
      return;
    }
  bool leftRead = readsLater(thenState.ends, name), rightRead = readsLater(elseState.ends, name);
  if (leftRead && rightRead && left && right) {
    if (CarriedValues::same(*left, *right)) {
      joined.variables.insert_or_assign(name, *left);
      return;
    }
    if (left->is<Missing>() || right->is<Missing>()) {
      joined.variables.insert_or_assign(name, left->is<Missing>() ? *left : *right);
      return;
    }
    CarriedKind kind = joinKinds(*left, *right);
    return kind ? addResult(name, {kind, left, right})
                : missing(name, "values of different kinds after each");
  }
  if (leftRead && !rightRead)
    return left ? adopt(name, *left, true) : void();
  if (rightRead && !leftRead)
    return right ? adopt(name, *right, false) : void();
  if (!leftRead) { // A loop around still compares what its body began and ended with.
    if (const Value *old = find(branch.before))
      joined.variables.insert_or_assign(name, *old);
    return;
  }
  const Value &value = left ? *left : *right;
  if (value.is<Missing>()) {
    joined.variables.insert_or_assign(name, value);
    return;
  }
  // A path that leaves a loop's body may lack what the rest of the body reads.
  const PathState &without = left ? elseState : thenState;
  if (without.ends.may(PathEnds::Falls))
    return missing(name, "a value after only one");
  joined.partial.insert(name);
  adopt(name, value, left != nullptr);
}

//===--------------------------------------------------------------------------===//
// Results
//===--------------------------------------------------------------------------===//

void PathJoin::finish() {
  OpBuilder &builder = walker.builder;
  scf::IfOp op = branch.op;
  auto values = [&](Operation *yield, const Value *BranchResult::*path) {
    builder.setInsertionPoint(yield);
    return llvm::map_to_vector(results, [&](const Result &result) {
      const Value *value = result.*path;
      return value ? walker.carried.materialize(branch.node, *value, result.kind)
                   : walker.carried.placeholder(branch.node, result.kind);
    });
  };
  SmallVector<mlir::Value> elseValues = values(op.elseYield(), &BranchResult::elseValue);
  SmallVector<mlir::Value> thenValues = values(op.thenYield(), &BranchResult::thenValue);
  walker.controlFlow.restore(std::move(joined));
  builder.setInsertionPointAfter(op);
  if (results.empty())
    return;
  op = addResults(builder, op, thenValues, elseValues);
  for (auto [result, value] : llvm::zip(results, op.getResults()))
    result.bind(value, result.kind);
}

} // namespace ttjit::frontend
