//===- BlockStates.cpp - what is known of a thread's blocks ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Support/BlockStates.h"

#include "passes/Support/Copies.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

ttl::CopyOp BlockStates::lockOf(Operation *acquire, bool into) const {
  for (auto &[op, states] : copies) {
    auto copy = cast<ttl::CopyOp>(op);
    if (states == InFlight && fillsBlock(copy) == into && blockOf(copy).getDefiningOp() == acquire)
      return copy;
  }
  return {};
}

static bool unite(llvm::MapVector<Operation *, unsigned> &into,
                  const llvm::MapVector<Operation *, unsigned> &from) {
  bool changed = false;
  for (auto &[op, states] : from) {
    unsigned &known = into[op];
    changed |= (known | states) != known;
    known |= states;
  }
  return changed;
}

bool BlockStates::join(const BlockStates &other) {
  bool blocksChanged = unite(blocks, other.blocks);
  return unite(copies, other.copies) | blocksChanged;
}

Operation *ttjit::heldInOneOnly(const BlockStates &a, const BlockStates &b) {
  auto missing = [](const BlockStates &from, const BlockStates &in) -> Operation * {
    for (auto &[queue, acquires] : from.held)
      for (Operation *acquire : acquires)
        if (!in.holds(acquire))
          return acquire;
    return nullptr;
  };
  Operation *first = missing(a, b);
  return first ? first : missing(b, a);
}

std::string ttjit::describeStates(unsigned states) {
  if (states == MustBeWritten)
    return "nobody has written it since it was reserved";
  if (states == MustBeRead)
    return "what it holds has not been read yet";
  if (states == Released)
    return "it was released already";
  return "it is in the wrong state";
}
