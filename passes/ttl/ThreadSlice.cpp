//===- ThreadSlice.cpp - the part of a unified thread that one thread runs ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Starts from the ops of the thread and follows their operands backwards. An op needs its
// operands and the loops, branches and callbacks around it. A result of a loop or branch
// needs the values that the regions yield for it. Copies of loops and branches have only
// the results that are needed.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/ThreadSlice.h"

#include "ir/Locations/Locations.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/ttl/BlockRules.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Finding the ops that the thread needs
//===--------------------------------------------------------------------------===//

void ThreadSlice::needValue(Value value, Operation *user) {
  if (values.insert(value).second)
    pending.push_back({value, user});
}

void ThreadSlice::needAll(ValueRange needed, Operation *user) {
  for (Value value : needed)
    needValue(value, user);
}

// Needs the raise in front of a release. The end of a `with` releases the block even then, and no
// thread may release a block that it has not written.
void ThreadSlice::needRaise(Operation *release) {
  Operation *before = release->getPrevNode();
  while (isa_and_nonnull<ttl::CBPushOp, ttl::CBPopOp>(before))
    before = before->getPrevNode();
  if (auto raise = dyn_cast_or_null<ttl::AssertOp>(before); raise && alwaysFails(raise))
    needOp(raise);
}

// Needs the checks of an op. A ttl.check_index of the index of a slice or a node is in the op's
// block; an assert that checks an operand comes directly before the op.
void ThreadSlice::needChecks(Operation *op) {
  if (isa<ttl::IndexAccessorOp, ttl::GetRemoteSemaphoreOp, ttl::GetRemoteMulticastSemaphoreOp>(
          op)) {
    for (Value index : op->getOperands())
      for (Operation *user : index.getUsers())
        if (isa<ttl::CheckIndexOp>(user) && user->getBlock() == op->getBlock())
          needOp(user);
  } else if (Operation *check = op->getPrevNode()) {
    if (isa<ttl::AssertOp>(check) && isCheckOfOther(check))
      needOp(check);
  }
}

void ThreadSlice::needOp(Operation *op) {
  if (op == thread || !ops.insert(op).second)
    return;
  needOp(op->getParentOp());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return needValue(branch.getCondition(), op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return needAll({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}, op);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return needValue(loop.getConditionOp().getCondition(), op);
  needAll(op->getOperands(), op);
  needChecks(op);
  if (isa<ttl::CBPushOp, ttl::CBPopOp>(op))
    needRaise(op);
  if (isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(op))
    return;
  SetVector<Value> outside;
  getUsedValuesDefinedAbove(op->getRegions(), outside);
  needAll(outside.getArrayRef(), op);
}

void ThreadSlice::needCarried(scf::ForOp loop, unsigned number) {
  needValue(loop.getInitArgs()[number], loop);
  needValue(loop.getYieldedValues()[number], loop);
  values.insert(loop.getRegionIterArg(number));
  values.insert(loop.getResult(number));
}

void ThreadSlice::followArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<ttl::KernelOp>(parent))
    return;
  needOp(parent);
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (number > 0)
      needCarried(loop, number - 1);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner() == loop.getAfterBody())
      return needValue(loop.getConditionOp().getArgs()[number], loop.getConditionOp());
    needValue(loop.getInits()[number], loop);
    needValue(loop.getYieldOp().getOperand(number), loop.getYieldOp());
  }
}

void ThreadSlice::followResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (op->getParentOfType<ttl::UnifiedThreadOp>() != thread)
    return; // a resource of the kernel
  needOp(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    needValue(branch.thenYield().getOperand(number), branch.thenYield());
    needValue(branch.elseYield().getOperand(number), branch.elseYield());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    needCarried(loop, number);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    needValue(loop.getConditionOp().getArgs()[number], loop.getConditionOp());
  }
}

static std::string describeValue(Value value) {
  if (std::optional<std::string> name = getSourceName(value.getLoc()))
    return "'" + *name + "'";
  return "a value";
}

// Returns the result of this thread's own call; null if the thread makes none.
Value ThreadSlice::ownResult(ttcpp::ResultsOp results) const {
  for (Value call : results.getCalls())
    if (Operation *maker = call.getDefiningOp(); maker && assignment.roleOf(maker) == role)
      return call;
  return {};
}

LogicalResult ThreadSlice::refuse(const Need &need, Operation *maker, ThreadRole other) {
  InFlightDiagnostic diagnostic = need.user->emitError();
  diagnostic << "this belongs to " << describeRole(role) << " and needs "
             << describeValue(need.value) << ", which " << describeRole(other)
             << " computes: a value cannot go from one thread to another; pass a block through "
                "a buffer, or compute this from what every thread knows, such as loop "
                "variables and the node's coordinates";
  diagnostic.attachNote(maker->getLoc()) << describeRole(other) << " computes the value here";
  return failure();
}

LogicalResult ThreadSlice::follow(const Need &need) {
  Operation *maker = need.value.getDefiningOp();
  if (auto results = dyn_cast_or_null<ttcpp::ResultsOp>(maker)) {
    Value own = ownResult(results);
    maker = results.getCalls().front().getDefiningOp();
    if (!own)
      return refuse(need, maker, assignment.roleOf(maker).value_or(ThreadRole::Compute));
    needValue(own, need.user);
    return success();
  }
  std::optional<ThreadRole> other = maker ? assignment.roleOf(maker) : std::nullopt;
  if (other && *other != role)
    return refuse(need, maker, *other);
  if (auto argument = dyn_cast<BlockArgument>(need.value))
    followArgument(argument);
  else
    followResult(cast<OpResult>(need.value));
  return success();
}

// Finds the ops. All threads meet at a reset; but a reset alone does not make a thread.
LogicalResult ThreadSlice::run() {
  thread.walk([&](Operation *op) {
    if (assignment.roleOf(op) == role)
      needOp(op);
  });
  if (!empty())
    thread.walk([&](ttl::CBResetOp reset) { needOp(reset); });
  while (!pending.empty())
    if (failed(follow(pending.pop_back_val())))
      return failure();
  return success();
}

//===--------------------------------------------------------------------------===//
// Copying the ops
//===--------------------------------------------------------------------------===//

SmallVector<unsigned> ThreadSlice::neededOf(ValueRange range) const {
  SmallVector<unsigned> numbers;
  for (auto [number, value] : llvm::enumerate(range))
    if (values.contains(value))
      numbers.push_back(number);
  return numbers;
}

template <typename Range>
static SmallVector<Value> pick(const Range &range, ArrayRef<unsigned> numbers,
                               const IRMapping &map) {
  return llvm::map_to_vector(
      numbers, [&](unsigned number) { return map.lookupOrDefault(Value(range[number])); });
}

template <typename From, typename To>
static void mapValues(const From &from, const To &to, ArrayRef<unsigned> numbers, IRMapping &map) {
  for (auto [i, number] : llvm::enumerate(numbers))
    map.map(Value(from[number]), Value(to[i]));
}

// Adds one argument for each of the chosen arguments of `from`.
static void addArguments(Block *to, Block::BlockArgListType from, ArrayRef<unsigned> numbers,
                         IRMapping &map) {
  for (unsigned number : numbers)
    map.map(from[number], to->addArgument(from[number].getType(), from[number].getLoc()));
}

void ThreadSlice::copyIf(OpBuilder &builder, scf::IfOp op, IRMapping &map) const {
  SmallVector<unsigned> needed = neededOf(op.getResults());
  SmallVector<Type> types =
      llvm::map_to_vector(needed, [&](unsigned number) { return op.getResultTypes()[number]; });
  auto copy = scf::IfOp::create(builder, op.getLoc(), types, map.lookupOrDefault(op.getCondition()),
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Block *block = &to.emplaceBlock();
    copyBlock(from.front(), block, map);
    Operation *yield = from.front().getTerminator();
    OpBuilder end = OpBuilder::atBlockEnd(block);
    scf::YieldOp::create(end, yield->getLoc(), pick(yield->getOperands(), needed, map));
  }
  mapValues(op.getResults(), copy.getResults(), needed, map);
}

void ThreadSlice::copyFor(OpBuilder &builder, scf::ForOp op, IRMapping &map) const {
  SmallVector<unsigned> needed = neededOf(op.getResults());
  auto copy =
      scf::ForOp::create(builder, op.getLoc(), map.lookupOrDefault(op.getLowerBound()),
                         map.lookupOrDefault(op.getUpperBound()), map.lookupOrDefault(op.getStep()),
                         pick(op.getInitArgs(), needed, map));
  Block *body = copy.getBody();
  if (!body->empty())
    body->getTerminator()->erase();
  copy.getInductionVar().setLoc(op.getInductionVar().getLoc());
  map.map(op.getInductionVar(), copy.getInductionVar());
  for (auto [i, number] : llvm::enumerate(needed)) {
    copy.getRegionIterArg(i).setLoc(op.getRegionIterArg(number).getLoc());
    map.map(op.getRegionIterArg(number), copy.getRegionIterArg(i));
  }
  copyBlock(*op.getBody(), body, map);
  Operation *yield = op.getBody()->getTerminator();
  OpBuilder end = OpBuilder::atBlockEnd(body);
  scf::YieldOp::create(end, yield->getLoc(), pick(yield->getOperands(), needed, map));
  mapValues(op.getResults(), copy.getResults(), needed, map);
}

void ThreadSlice::copyWhile(OpBuilder &builder, scf::WhileOp op, IRMapping &map) const {
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<unsigned> carried = neededOf(op.getBeforeArguments()), passed;
  for (auto [number, value] : llvm::enumerate(condition.getArgs()))
    if (values.contains(op.getResult(number)) || values.contains(op.getAfterArguments()[number]))
      passed.push_back(number);
  SmallVector<Type> types =
      llvm::map_to_vector(passed, [&](unsigned number) { return op.getResultTypes()[number]; });
  auto copy = scf::WhileOp::create(builder, op.getLoc(), types, pick(op.getInits(), carried, map));
  Block *test = &copy.getBefore().emplaceBlock(), *body = &copy.getAfter().emplaceBlock();
  addArguments(test, op.getBeforeArguments(), carried, map);
  copyBlock(*op.getBeforeBody(), test, map);
  OpBuilder end = OpBuilder::atBlockEnd(test);
  scf::ConditionOp::create(end, condition.getLoc(), map.lookupOrDefault(condition.getCondition()),
                           pick(condition.getArgs(), passed, map));
  addArguments(body, op.getAfterArguments(), passed, map);
  copyBlock(*op.getAfterBody(), body, map);
  end.setInsertionPointToEnd(body);
  scf::YieldOp yield = op.getYieldOp();
  scf::YieldOp::create(end, yield.getLoc(), pick(yield.getOperands(), carried, map));
  mapValues(op.getResults(), copy.getResults(), passed, map);
}

void ThreadSlice::copyCallback(OpBuilder &builder, Operation *op, IRMapping &map) const {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(map.lookupOrDefault(op->getOperand(0)));
  Block *block = &state.addRegion()->emplaceBlock();
  Block &body = op->getRegion(0).front();
  map.map(body.getArgument(0),
          block->addArgument(body.getArgument(0).getType(), body.getArgument(0).getLoc()));
  builder.create(state);
  copyBlock(body, block, map);
  OpBuilder end = OpBuilder::atBlockEnd(block);
  ttl::YieldOp::create(end, body.getTerminator()->getLoc());
}

void ThreadSlice::copyOp(OpBuilder &builder, Operation *op, IRMapping &map) const {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return copyIf(builder, branch, map);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return copyFor(builder, loop, map);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return copyWhile(builder, loop, map);
  if (isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(op))
    return copyCallback(builder, op, map);
  builder.clone(*op, map);
}

// Copies a block without its terminator: the functions above, which know the yielded values, create
// that.
void ThreadSlice::copyBlock(Block &from, Block *to, IRMapping &map) const {
  OpBuilder builder = OpBuilder::atBlockEnd(to);
  for (Operation &op : from) {
    auto results = dyn_cast<ttcpp::ResultsOp>(op);
    if (results && values.contains(results))
      map.map(results.getResult(), map.lookup(ownResult(results)));
    else if (ops.contains(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      copyOp(builder, &op, map);
  }
}

void ThreadSlice::copyInto(Block *block) const {
  ttl::UnifiedThreadOp whole = thread;
  IRMapping map;
  copyBlock(whole.getBody().front(), block, map);
}
