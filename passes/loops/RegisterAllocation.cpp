//===- RegisterAllocation.cpp - allocates the registers of a section ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/loops/RegisterAllocation.h"

using namespace mlir;
using namespace ttjit;

RegisterAllocation::RegisterAllocation(unsigned numValues)
    : numValues(numValues), interferes(numValues, llvm::BitVector(numValues)), leaders(numValues),
      registers(numValues, -1), fixed(numValues) {
  for (unsigned value = 0; value < numValues; ++value)
    leaders[value] = value;
}

void RegisterAllocation::addStep(Operation *op, ArrayRef<unsigned> reads,
                                 ArrayRef<unsigned> writes) {
  if (!reads.empty() || !writes.empty())
    steps[op].push_back({llvm::to_vector<4>(reads), llvm::to_vector<4>(writes)});
}

void RegisterAllocation::addCopy(Operation *op, unsigned from, unsigned to) {
  steps[op].push_back({{from}, {to}, /*isCopy=*/true});
}

//===--------------------------------------------------------------------------===//
// Liveness, backwards
//===--------------------------------------------------------------------------===//

// Visits a step. A copy does not interfere with its source: both values are equal after it.
void RegisterAllocation::visit(const Step &step, llvm::BitVector &live) {
  for (unsigned written : step.writes)
    for (unsigned other : live.set_bits())
      if (other != written && !(step.isCopy && other == step.reads.front())) {
        interferes[written].set(other);
        interferes[other].set(written);
      }
  for (unsigned written : step.writes)
    live.reset(written);
  for (unsigned read : step.reads)
    live.set(read);
}

// Visits regions. A value that a loop's body needs at its start is also needed at its end.
void RegisterAllocation::visitRegions(Operation *op, llvm::BitVector &live) {
  const llvm::BitVector after = live;
  const bool repeats = !isa<scf::IfOp>(op);
  llvm::BitVector before;
  do {
    before = live;
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      llvm::BitVector inside = repeats ? live : after;
      visit(region.front().begin(), region.front().end(), inside);
      live |= inside;
    }
  } while (repeats && live != before);
}

void RegisterAllocation::visit(Block::iterator begin, Block::iterator end, llvm::BitVector &live) {
  for (Operation &op : llvm::reverse(llvm::make_range(begin, end))) {
    if (op.getNumRegions())
      visitRegions(&op, live);
    if (auto it = steps.find(&op); it != steps.end())
      for (const Step &step : llvm::reverse(it->second))
        visit(step, live);
  }
}

void RegisterAllocation::findInterferences(Block::iterator begin, Block::iterator end) {
  llvm::BitVector live(numValues);
  visit(begin, end, live);
}

//===--------------------------------------------------------------------------===//
// Registers
//===--------------------------------------------------------------------------===//

unsigned RegisterAllocation::leaderOf(unsigned value) const {
  while (leaders[value] != value)
    value = leaders[value];
  return value;
}

bool RegisterAllocation::share(unsigned a, unsigned b) {
  if (fixed[a] || fixed[b])
    return false;
  a = leaderOf(a);
  b = leaderOf(b);
  if (a == b)
    return true;
  if (interferes[a][b])
    return false;
  leaders[b] = a;
  interferes[a] |= interferes[b];
  for (unsigned other : interferes[b].set_bits())
    interferes[other].set(a);
  return true;
}

void RegisterAllocation::fix(unsigned value, int reg) {
  fixed.set(value);
  registers[value] = reg;
}

bool RegisterAllocation::assign(int count) {
  for (unsigned value = 0; value < numValues; ++value) {
    if (leaderOf(value) != value || fixed[value])
      continue;
    llvm::SmallBitVector taken(count);
    for (unsigned other : interferes[value].set_bits())
      if (int reg = registerOf(other); reg >= 0 && reg < count)
        taken.set(reg);
    registers[value] = taken.find_first_unset();
    if (registers[value] < 0)
      return false;
  }
  return true;
}
