//===- DSTOrder.cpp - orders in which a compute's tile ops can run ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTOrder.h"

#include "passes/dst/TileFacts.h"

#include <array>
#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

TileOrder ttjit::writtenOrder(ttl::ComputeOp compute) {
  return llvm::map_to_vector(compute.getBody().front().without_terminator(),
                             [](Operation &op) { return &op; });
}

//===--------------------------------------------------------------------------===//
// Depth first
//===--------------------------------------------------------------------------===//

// Number of registers that the op needs if its operands are computed in order, given
// `need` for each operand.
static unsigned registersOf(Operation *op, const DenseMap<Value, unsigned> &need) {
  SmallVector<unsigned> operands;
  for (Value operand : dstOperands(op))
    operands.push_back(isa<BlockArgument>(operand) ? 1 : need.lookup(operand));
  return registersFor(operands);
}

TileOrder ttjit::depthFirstOrder(ttl::ComputeOp compute) {
  Block &body = compute.getBody().front();
  DenseMap<Value, unsigned> need;
  for (Operation &op : body.without_terminator())
    if (op.getNumResults())
      need[op.getResult(0)] = registersOf(&op, need);

  TileOrder order;
  DenseSet<Operation *> done;
  // An explicit stack replaces recursion: bodies may be thousands of ops deep.
  SmallVector<std::pair<Operation *, bool>> stack;
  auto visit = [&](Operation *root) {
    stack.push_back({root, false});
    while (!stack.empty()) {
      auto [op, operandsDone] = stack.pop_back_val();
      if (done.contains(op))
        continue;
      if (operandsDone) {
        done.insert(op);
        order.push_back(op);
        continue;
      }
      stack.push_back({op, true});
      SmallVector<Value> operands = dstOperands(op);
      llvm::stable_sort(operands,
                        [&](Value a, Value b) { return need.lookup(a) < need.lookup(b); });
      for (Value operand : operands) // the operand that is pushed last is computed first
        if (Operation *definition = operand.getDefiningOp())
          stack.push_back({definition, false});
    }
  };
  for (Value value : body.getTerminator()->getOperands())
    if (Operation *definition = value.getDefiningOp())
      visit(definition);
  return order;
}

//===--------------------------------------------------------------------------===//
// Phase 0
//===--------------------------------------------------------------------------===//

namespace {

// Costs are compared lexicographically; the op with the greatest goes first. The
// elements: values whose last use it is, ops that become ready, reuse of live values,
// inputs shared with scheduled ops, minus inputs shared with later ops (minus 100 for
// a unary user of a shared value), distance to the yield.
using Cost = std::array<int64_t, 6>;

class PressureScheduler {
public:
  explicit PressureScheduler(ttl::ComputeOp compute) : body(compute.getBody().front()) {}

  TileOrder run();

private:
  struct ValueState {
    int users = 0;     // number of distinct users without the yield
    int scheduled = 0; // number of users that are scheduled
    bool yielded = false, live = false;
  };
  struct OpState {
    SmallVector<Value, 3> operands;
    int missing = 0; // number of operands that are not computed yet
    unsigned number = 0;
    int64_t distance = 0;
  };

  void number();
  Cost costOf(Operation *op);
  void schedule(Operation *op);
  void makeReady(Operation *op) { ready.insert({ops[op].number, op}); }
  int newlyReady(Operation *op);

  Block &body;
  DenseMap<Value, ValueState> values;
  DenseMap<Operation *, OpState> ops;
  std::set<std::pair<unsigned, Operation *>> ready; // ready ops in the order of the body
  TileOrder order;
};

void PressureScheduler::number() {
  for (Operation &op : body.without_terminator()) {
    OpState &state = ops[&op];
    state.number = ops.size();
    state.operands = dstOperands(&op);
    for (Value operand : state.operands) {
      ++values[operand].users;
      state.missing += operand.getDefiningOp() != nullptr;
    }
    if (!state.missing)
      makeReady(&op);
  }
  for (Value value : body.getTerminator()->getOperands())
    values[value].yielded = true;
  for (Operation &op : llvm::reverse(body.without_terminator()))
    for (Value operand : ops[&op].operands)
      if (Operation *definition = operand.getDefiningOp()) {
        int64_t &distance = ops[definition].distance;
        distance = std::max(distance, ops[&op].distance + 1);
      }
}

int PressureScheduler::newlyReady(Operation *op) {
  int count = 0;
  if (op->getNumResults())
    for (Operation *user :
         llvm::SmallPtrSet<Operation *, 4>(llvm::from_range, op->getResult(0).getUsers()))
      count += user != body.getTerminator() && ops[user].missing == 1;
  return count;
}

Cost PressureScheduler::costOf(Operation *op) {
  int64_t released = 0, live = 0, shared = 0, penalty = 0;
  const OpState &state = ops[op];
  for (Value operand : state.operands) {
    const ValueState &value = values[operand];
    released += value.users == value.scheduled + 1 && !value.yielded;
    live += value.live;
    shared += value.scheduled;
    penalty -= value.users - value.scheduled - 1;
  }
  Value inPlace = inPlaceOperand(op);
  if (inPlace && values[inPlace].users + values[inPlace].yielded > 1)
    penalty -= 100;
  return {released, newlyReady(op), live, shared, penalty, state.distance};
}

void PressureScheduler::schedule(Operation *op) {
  order.push_back(op);
  for (Value operand : ops[op].operands) {
    ValueState &value = values[operand];
    if (++value.scheduled == value.users && !value.yielded)
      value.live = false;
  }
  if (!op->getNumResults())
    return;
  values[op->getResult(0)].live = true;
  for (Operation *user :
       llvm::SmallPtrSet<Operation *, 4>(llvm::from_range, op->getResult(0).getUsers()))
    if (user != body.getTerminator() && --ops[user].missing == 0)
      makeReady(user);
}

TileOrder PressureScheduler::run() {
  number();
  // Number of ready ops that are compared at a time; very wide bodies have more.
  constexpr size_t kWindow = 128;
  while (!ready.empty()) {
    auto best = ready.begin();
    Cost bestCost = costOf(best->second);
    size_t seen = 1;
    for (auto it = std::next(best); it != ready.end() && seen < kWindow; ++it, ++seen)
      if (Cost cost = costOf(it->second); cost > bestCost) {
        best = it;
        bestCost = cost;
      }
    Operation *op = best->second;
    ready.erase(best);
    schedule(op);
  }
  return order;
}

} // namespace

TileOrder ttjit::pressureOrder(ttl::ComputeOp compute) { return PressureScheduler(compute).run(); }
