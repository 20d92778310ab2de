//===- DSTSchedule.cpp - order and registers of a compute's tile ops ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Support/DSTSchedule.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SmallVector<Value> ttjit::dstOperands(Operation *op) {
  auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op);
  llvm::SetVector<Value, SmallVector<Value>> operands;
  for (Value operand : op->getOperands().drop_front(fromL1 ? fromL1.getNumL1Operands() : 0))
    if (isa<ttcore::TileType>(operand.getType()))
      operands.insert(operand);
  return operands.takeVector();
}

Value ttjit::inPlaceOperand(Operation *op) {
  if (auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op))
    return fromL1.getAccumulator();
  auto row = dyn_cast<ttcore::TileOpInterface>(op);
  return row && hw::factsOf(row.getTileOp()).isInPlace() ? op->getOperand(0) : Value();
}

bool ttjit::needsFreshRegister(Operation *op) {
  auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op);
  return fromL1 && fromL1.accumulates() && !fromL1.getAccumulator();
}

//===--------------------------------------------------------------------------===//
// Making schedules
//===--------------------------------------------------------------------------===//

int DSTSchedule::addLoad(BlockArgument argument) {
  Step step;
  step.argument = argument;
  step.result = numValues++;
  steps.push_back(step);
  return step.result;
}

int DSTSchedule::valueFor(Value operand) {
  auto argument = dyn_cast<BlockArgument>(operand);
  if (argument && isLazy)
    return addLoad(argument);
  return numbers.lookup(operand);
}

void DSTSchedule::addOp(Operation *op) {
  Step step;
  step.op = op;
  Value inPlace = inPlaceOperand(op);
  for (Value operand : dstOperands(op)) {
    if (operand == inPlace)
      step.inPlace = step.operands.size();
    step.operands.push_back(valueFor(operand));
  }
  step.fresh = needsFreshRegister(op);
  step.result = numValues++;
  numbers[op->getResult(0)] = step.result;
  steps.push_back(step);
}

void DSTSchedule::finish() {
  for (Value value : cast<ttl::YieldOp>(compute.getBody().front().getTerminator()).getValues())
    yields.push_back(valueFor(value));
  insertCopies();
  buildClasses();
}

DSTSchedule DSTSchedule::inArgumentOrder(ttl::ComputeOp compute) {
  DSTSchedule schedule(compute, /*lazy=*/false);
  Block &body = compute.getBody().front();
  DenseSet<Value> inDST;
  for (Operation &op : body)
    for (Value operand : dstOperands(&op))
      inDST.insert(operand);
  for (BlockArgument argument : body.getArguments())
    if (inDST.contains(argument))
      schedule.numbers[argument] = schedule.addLoad(argument);
  for (Operation &op : body.without_terminator())
    schedule.addOp(&op);
  schedule.finish();
  return schedule;
}

unsigned ttjit::registersFor(SmallVector<unsigned> operands) {
  llvm::sort(operands, std::greater<>());
  unsigned registers = 1;
  for (auto [held, operand] : llvm::enumerate(operands))
    registers = std::max<unsigned>(registers, operand + held);
  return registers;
}

// What the op's operands take is known: it is computed in order.
static unsigned registersOf(Operation *op, const DenseMap<Value, unsigned> &need) {
  SmallVector<unsigned> operands;
  for (Value operand : dstOperands(op))
    operands.push_back(isa<BlockArgument>(operand) ? 1 : need.lookup(operand));
  return registersFor(operands);
}

DSTSchedule DSTSchedule::lazy(ttl::ComputeOp compute) {
  DSTSchedule schedule(compute, /*lazy=*/true);
  Block &body = compute.getBody().front();
  DenseMap<Value, unsigned> need;
  for (Operation &op : body.without_terminator())
    need[op.getResult(0)] = registersOf(&op, need);

  // Depth first from each yielded value, without recursion.
  DenseSet<Operation *> done;
  SmallVector<std::pair<Operation *, bool>> stack;
  auto visit = [&](Operation *root) {
    stack.push_back({root, false});
    while (!stack.empty()) {
      auto [op, operandsDone] = stack.pop_back_val();
      if (done.contains(op))
        continue;
      if (operandsDone) {
        done.insert(op);
        schedule.addOp(op);
        continue;
      }
      stack.push_back({op, true});
      SmallVector<Value> operands = dstOperands(op);
      llvm::stable_sort(operands,
                        [&](Value a, Value b) { return need.lookup(a) < need.lookup(b); });
      for (Value operand : operands) // the last one pushed is computed first
        if (Operation *definition = operand.getDefiningOp())
          stack.push_back({definition, false});
    }
  };
  for (Value value : body.getTerminator()->getOperands())
    if (Operation *definition = value.getDefiningOp())
      visit(definition);
  schedule.finish();
  return schedule;
}

// An op in place destroys its operand: where another op reads it later, it works
// on a copy.
void DSTSchedule::insertCopies() {
  int end = steps.size();
  std::vector<int> lastReader(numValues, -1);
  for (auto [i, step] : llvm::enumerate(steps))
    for (int operand : step.operands)
      lastReader[operand] = i;
  for (int value : yields)
    lastReader[value] = end;
  std::vector<Step> withCopies;
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (step.inPlace >= 0) {
      int operand = step.operands[step.inPlace];
      if (lastReader[operand] > static_cast<int>(i)) {
        Step copy;
        copy.operands = {operand};
        copy.result = numValues++;
        step.operands[step.inPlace] = copy.result;
        withCopies.push_back(copy);
      }
    }
    withCopies.push_back(step);
  }
  steps = std::move(withCopies);
}

//===--------------------------------------------------------------------------===//
// Registers
//===--------------------------------------------------------------------------===//

// Steps count from 1; eager loads all happen at 0, and so does the start of a
// register that must be fresh.
void DSTSchedule::buildClasses() {
  llvm::IntEqClasses shared(numValues);
  for (Step &step : steps)
    if (step.inPlace >= 0)
      shared.join(step.operands[step.inPlace], step.result);
  shared.compress();
  classOf.resize(numValues);
  for (int value = 0; value < numValues; ++value)
    classOf[value] = shared[value];

  classes.assign(shared.getNumClasses(), {INT_MAX, -1});
  auto extend = [&](int value, int index) {
    Class &c = classes[classOf[value]];
    c.start = std::min(c.start, index);
    c.end = std::max(c.end, index);
  };
  int index = 0;
  for (Step &step : steps) {
    bool atStart = !isLazy && (step.argument || step.fresh);
    if (isLazy || !step.argument)
      ++index;
    for (int operand : step.operands)
      extend(operand, index);
    extend(step.result, index);
    if (atStart)
      extend(step.result, 0);
  }
  for (int value : yields) {
    extend(value, index + 1);
    classes[classOf[value]].yielded = true;
  }
}

SmallVector<int> DSTSchedule::classOrder() const {
  SmallVector<int> order;
  llvm::BitVector seen(classes.size());
  for (const Step &step : steps) {
    int number = classOf[step.result];
    if (!seen[number])
      order.push_back(number);
    seen.set(number);
  }
  llvm::stable_sort(order,
                    [&](int a, int b) { return classes[a].start < classes[b].start; });
  return order;
}

// `reuseAtEnd`: a value may take the register of one whose last use is the op
// that defines it.
bool DSTSchedule::scan(ArrayRef<int> order, int capacity, bool reuseAtEnd) {
  llvm::BitVector free(capacity, true);
  SmallVector<int> active;
  for (int number : order) {
    Class &c = classes[number];
    llvm::erase_if(active, [&](int other) {
      const Class &old = classes[other];
      bool expired = reuseAtEnd ? old.end <= c.start : old.end < c.start;
      if (expired)
        free.set(old.reg);
      return expired;
    });
    c.reg = free.find_first();
    if (c.reg < 0)
      return false;
    free.reset(c.reg);
    active.push_back(number);
  }
  return true;
}

// Inputs and intermediates in the low registers, outputs above them.
bool DSTSchedule::assignInRegions(int capacity) {
  SmallVector<int> inner, outputs;
  for (int number : classOrder())
    (classes[number].yielded ? outputs : inner).push_back(number);
  if (!scan(inner, capacity, /*reuseAtEnd=*/false))
    return false;
  int next = 0;
  for (int number : inner)
    next = std::max(next, classes[number].reg + 1);
  for (int number : outputs)
    classes[number].reg = next++;
  return next <= capacity;
}

bool DSTSchedule::assignTogether(int capacity) {
  return scan(classOrder(), capacity, /*reuseAtEnd=*/true);
}

bool DSTSchedule::assign(int capacity) {
  return isLazy ? assignTogether(capacity) : assignInRegions(capacity);
}

//===--------------------------------------------------------------------------===//
// Rewriting the body
//===--------------------------------------------------------------------------===//

bool DSTSchedule::wasWritten(const Class &own) const {
  return llvm::any_of(classes, [&](const Class &other) {
    return &other != &own && other.reg == own.reg && other.start < own.start;
  });
}

Value DSTSchedule::emit(OpBuilder &builder, const Step &step, ArrayRef<Value> values) {
  auto load = [&](Location loc, Value input) {
    return ttl::CopyTileOp::create(builder, loc, input.getType(), input, IntegerAttr());
  };
  if (step.argument)
    return load(step.argument.getLoc(), step.argument);
  if (!step.op) {
    Value input = values[step.operands[0]];
    return ttl::CopyDestValuesOp::create(builder, input.getLoc(), input.getType(), input,
                                         IntegerAttr());
  }
  Operation *clone = builder.clone(*step.op);
  for (auto [source, value] : llvm::zip(dstOperands(step.op), step.operands))
    clone->replaceUsesOfWith(source, values[value]);
  const Class &own = classes[classOf[step.result]];
  if (step.fresh && wasWritten(own)) {
    auto fromL1 = cast<ttl::TileFromL1OpInterface>(clone);
    OpBuilder before(clone);
    auto start = arith::ConstantOp::create(before, clone->getLoc(),
                                           before.getF32FloatAttr(fromL1.getStart()));
    fromL1.setAccumulator(ttl::TileFillOp::create(before, clone->getLoc(),
                                                  clone->getResult(0).getType(), start,
                                                  before.getI32IntegerAttr(own.reg)));
  }
  return clone->getResult(0);
}

void DSTSchedule::apply() {
  Block &body = compute.getBody().front();
  SmallVector<Operation *> old =
      llvm::map_to_vector(body.without_terminator(), [](Operation &op) { return &op; });
  OpBuilder builder(body.getTerminator());
  SmallVector<Value> values(numValues);
  for (const Step &step : steps) {
    Value value = values[step.result] = emit(builder, step, values);
    value.getDefiningOp()->setAttr(
        "dst_idx", builder.getI32IntegerAttr(classes[classOf[step.result]].reg));
  }
  for (auto [i, value] : llvm::enumerate(yields))
    body.getTerminator()->setOperand(i, values[value]);
  for (Operation *op : llvm::reverse(old))
    op->erase();
}
