//===- DSTSchedule.cpp - assigns DST registers to tile ops --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTSchedule.h"

#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Making schedules
//===--------------------------------------------------------------------------===//

int DSTSchedule::addLoad(BlockArgument argument) {
  Step step;
  step.argument = argument;
  ++loads;
  return addResult(std::move(step), argument);
}

int DSTSchedule::addResult(Step step, Value value) {
  step.result = numValues++;
  numbers[value] = step.result;
  steps.push_back(std::move(step));
  return numValues - 1;
}

// Returns the number of an operand's value. Loads or fills it first if the plan does so
// at each use.
int DSTSchedule::valueFor(Value operand) {
  auto known = numbers.find(operand);
  auto fill = operand.getDefiningOp<ttl::TileFillOp>();
  bool again = plan.loads == Loads::AtEachUse && (isa<BlockArgument>(operand) || fill);
  if (known != numbers.end() && !again)
    return known->second;
  if (auto argument = dyn_cast<BlockArgument>(operand))
    return addLoad(argument);
  Step step;
  step.op = operand.getDefiningOp();
  return addResult(std::move(step), operand);
}

void DSTSchedule::addOp(Operation *op) {
  if (op->getNumResults() == 0 || isa<ttl::AcquireDSTOp>(op))
    return addMarker(op);
  if (plan.loads == Loads::AtEachUse && isa<ttl::TileFillOp>(op))
    return;
  Step step;
  step.op = op;
  Value inPlace = inPlaceOperand(op);
  SmallVector<Value> operands = dstOperands(op);
  bool pair = needsPair(op);
  if (pair && operands.size() == 1)
    operands.push_back(operands[0]);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (operand == inPlace && step.inPlace < 0)
      step.inPlace = i;
    step.operands.push_back(valueFor(operand));
  }
  step.paired = pair ? 1 : -1;
  step.fresh = needsFreshRegister(op);
  addResult(std::move(step), op->getResult(0));
}

void DSTSchedule::addMarker(Operation *op) {
  Step step;
  step.op = op;
  if (isa<ttl::AcquireDSTOp>(op)) {
    addResult(std::move(step), op->getResult(0));
    return;
  }
  step.operands.push_back(valueFor(op->getOperand(0)));
  steps.push_back(std::move(step));
}

// Loads the arguments that some op reads from DST, in the order of the arguments.
void DSTSchedule::loadArguments() {
  Block &body = compute.getBody().front();
  DenseSet<Value> inDST;
  for (Operation &op : body)
    for (Value operand : dstOperands(&op))
      inDST.insert(operand);
  for (BlockArgument argument : body.getArguments())
    if (inDST.contains(argument))
      addLoad(argument);
}

DSTSchedule::DSTSchedule(ttl::ComputeOp compute, ArrayRef<Operation *> order, DSTPlan plan)
    : compute(compute), plan(plan) {
  if (plan.loads == Loads::AtStart)
    loadArguments();
  for (Operation *op : order)
    addOp(op);
  for (Value value : compute.getBody().front().getTerminator()->getOperands())
    yields.push_back(valueFor(value));
  insertCopies();
  buildClasses();
}

DSTSchedule DSTSchedule::inArgumentOrder(ttl::ComputeOp compute) {
  return DSTSchedule(compute, writtenOrder(compute), DSTPlan());
}

DSTSchedule DSTSchedule::lazy(ttl::ComputeOp compute) {
  return DSTSchedule(compute, depthFirstOrder(compute),
                     {Loads::AtEachUse, /*outputsApart=*/false, /*expireAtUse=*/true});
}

//===--------------------------------------------------------------------------===//
// Copies (phase 1)
//===--------------------------------------------------------------------------===//

void DSTSchedule::insertCopy(std::vector<Step> &into, Step &reader, int position) {
  Step copy;
  copy.operands = {reader.operands[position]};
  copy.result = numValues++;
  reader.operands[position] = copy.result;
  into.push_back(std::move(copy));
  ++copies;
}

// An op in place destroys its operand. If another op reads the operand later, the op
// works on a copy. A mask must be in register dst+1: it is copied there unless it was
// loaded for this op only. The register after a value belongs to one mask: a second
// mask gets a copy of the value.
void DSTSchedule::insertCopies() {
  int end = steps.size();
  std::vector<int> lastReader(numValues, -1), readers(numValues, 0);
  for (auto [i, step] : llvm::enumerate(steps))
    for (int operand : step.operands) {
      lastReader[operand] = i;
      ++readers[operand];
    }
  for (int value : yields)
    lastReader[value] = end;
  std::vector<bool> isLoad(numValues, false);
  for (const Step &step : steps)
    if (step.argument)
      isLoad[step.result] = true;
  DenseSet<int> masked; // values whose register has a mask after it
  std::vector<Step> withCopies;
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (step.inPlace >= 0) {
      int operand = step.operands[step.inPlace];
      if (lastReader[operand] > static_cast<int>(i) ||
          (step.paired >= 0 && masked.contains(operand)))
        insertCopy(withCopies, step, step.inPlace);
      if (step.paired >= 0 || masked.contains(step.operands[step.inPlace]))
        masked.insert(step.result);
    }
    if (step.paired >= 0) {
      int operand = step.operands[step.paired];
      if (!isLoad[operand] || readers[operand] > 1 || lastReader[operand] > static_cast<int>(i))
        insertCopy(withCopies, step, step.paired);
    }
    withCopies.push_back(step);
  }
  steps = std::move(withCopies);
}

//===--------------------------------------------------------------------------===//
// Intervals (phase 2)
//===--------------------------------------------------------------------------===//

void DSTSchedule::extend(int value, int index) {
  Class &c = classes[classOf[value]];
  c.start = std::min(c.start, index);
  c.end = std::max(c.end, index);
}

// Steps count from 1. All loads at the start happen at 0. If there are such loads, a
// register that must not be written before its op is also taken from 0 on.
void DSTSchedule::buildClasses() {
  llvm::IntEqClasses shared(numValues);
  for (const Step &step : steps)
    if (step.inPlace >= 0)
      shared.join(step.operands[step.inPlace], step.result);
  shared.compress();
  classOf.resize(numValues);
  for (int value = 0; value < numValues; ++value)
    classOf[value] = shared[value];

  classes.assign(shared.getNumClasses(), {INT_MAX, -1});
  bool atStart = plan.loads == Loads::AtStart;
  int index = 0;
  for (const Step &step : steps) {
    if (!atStart || !step.argument)
      ++index;
    for (int operand : step.operands)
      extend(operand, index);
    if (step.result < 0)
      continue;
    extend(step.result, index);
    if (atStart && step.fresh)
      extend(step.result, 0);
  }
  for (int value : yields) {
    extend(value, index + 1);
    classes[classOf[value]].yielded = true;
  }
  tieClasses();
}

void DSTSchedule::tieClasses() {
  for (const Step &step : steps) {
    if (step.paired >= 0) {
      int first = classOf[step.operands[step.inPlace]],
          second = classOf[step.operands[step.paired]];
      classes[first].next = second;
      classes[second].previous = first;
    }
    auto acquire = dyn_cast_or_null<ttl::AcquireDSTOp>(step.op);
    if (acquire && acquire.getIndex()) {
      classes[classOf[step.result]].fixed = *acquire.getIndex();
      fixedClasses.push_back(classOf[step.result]);
    }
  }
}

SmallVector<int> DSTSchedule::classOrder() const {
  SmallVector<int> order;
  llvm::BitVector seen(classes.size());
  for (const Step &step : steps) {
    if (step.result < 0 || seen[classOf[step.result]])
      continue;
    order.push_back(classOf[step.result]);
    seen.set(classOf[step.result]);
  }
  llvm::stable_sort(order, [&](int a, int b) { return classes[a].start < classes[b].start; });
  return order;
}

//===--------------------------------------------------------------------------===//
// Registers (phases 3 and 4)
//===--------------------------------------------------------------------------===//

// Returns the smallest free register, for a pair the first of two in a row. Registers
// that ttl.acquire_dst names are not free while their class is alive.
int DSTSchedule::pickRegister(const Class &c, const llvm::BitVector &free) const {
  auto isTaken = [&](int reg) {
    return reg >= static_cast<int>(free.size()) || !free[reg] ||
           llvm::any_of(fixedClasses, [&](int number) {
             const Class &other = classes[number];
             return &other != &c && other.fixed == reg && other.start <= c.end &&
                    c.start <= other.end;
           });
  };
  if (c.fixed >= 0)
    return isTaken(c.fixed) ? -1 : c.fixed;
  for (int reg : free.set_bits())
    if (!isTaken(reg) && (c.next < 0 || !isTaken(reg + 1)))
      return reg;
  return -1;
}

bool DSTSchedule::scan(ArrayRef<int> order) {
  llvm::BitVector free(capacity, true);
  SmallVector<int> active;
  for (int number : order) {
    Class &c = classes[number];
    llvm::erase_if(active, [&](int other) {
      const Class &old = classes[other];
      bool expired = plan.expireAtUse ? old.end <= c.start : old.end < c.start;
      if (expired)
        free.set(old.reg);
      return expired;
    });
    // The class of a pair that comes first takes both registers.
    int first = c.previous >= 0 ? c.previous : number;
    if (c.reg >= 0)
      continue;
    int reg = pickRegister(classes[first], free);
    if (reg < 0)
      return false;
    for (int next = first; next >= 0; next = classes[next].next, ++reg) {
      classes[next].reg = reg;
      free.reset(reg);
      active.push_back(next);
    }
  }
  return true;
}

// Assigns low registers to inputs and intermediates, and the registers above to
// outputs.
bool DSTSchedule::assignApart() {
  SmallVector<int> inner, outputs;
  for (int number : classOrder())
    (classes[number].yielded ? outputs : inner).push_back(number);
  bool pairs = llvm::any_of(outputs, [&](int number) {
    return classes[number].next >= 0 || classes[number].previous >= 0;
  });
  if (pairs || !scan(inner))
    return false;
  firstOutput = 0;
  for (int number : inner)
    firstOutput = std::max(firstOutput, classes[number].reg + 1);
  numOutputs = outputs.size();
  int next = firstOutput;
  for (int number : outputs)
    classes[number].reg = next++;
  return next <= capacity;
}

bool DSTSchedule::assign(int registers) {
  capacity = registers;
  bool fits = plan.outputsApart ? assignApart() : scan(classOrder());
  if (fits)
    noteFirstWriters();
  return fits;
}

void DSTSchedule::noteFirstWriters() {
  for (auto [number, c] : llvm::enumerate(classes)) {
    auto [it, isNew] = firstWriter.try_emplace(c.reg, number);
    if (!isNew && c.start < classes[it->second].start)
      it->second = number;
  }
}

int DSTSchedule::footprint() const {
  int registers = 0;
  for (const Class &c : classes)
    registers = std::max(registers, c.reg + 1);
  return registers;
}

int DSTSchedule::unrollFactor() const {
  ttl::ComputeOp op = compute;
  if (!plan.outputsApart || !fixedClasses.empty() || readsOtherTilesOfOutputs(op))
    return 1;
  return std::min<int64_t>((capacity - firstOutput) / numOutputs, numTiles(op));
}
