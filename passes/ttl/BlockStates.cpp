//===- BlockStates.cpp - what is known of a thread's blocks ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/BlockStates.h"

#include "passes/common/Copies.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

ttl::CopyOp BlockStates::lockOf(Value block, bool into) const {
  for (auto &[handle, transfer] : transfers) {
    ttl::CopyOp copy = transfer.copy;
    if (transfer.states == InFlight && fillsBlock(copy) == into && transfer.block == block)
      return copy;
  }
  return {};
}

// All at once: a loop may hand on its values in another order.
void BlockStates::rename(ValueRange from, ValueRange to) {
  llvm::SmallDenseMap<Value, Value> names;
  for (auto [name, other] : llvm::zip(from, to))
    names[name] = other;
  auto nameOf = [&](Value value) { return names.count(value) ? names[value] : value; };
  // What had the name in the last iteration.
  auto isReplaced = [&](Value value) {
    return !names.count(value) && llvm::is_contained(to, value);
  };
  decltype(blocks) newBlocks;
  for (auto &[block, states] : blocks)
    if (!isReplaced(block))
      newBlocks[nameOf(block)] = states;
  decltype(transfers) newTransfers;
  for (auto &[handle, transfer] : transfers)
    if (!isReplaced(handle))
      newTransfers[nameOf(handle)] = {transfer.copy, nameOf(transfer.block), transfer.states};
  blocks = std::move(newBlocks);
  transfers = std::move(newTransfers);
  for (auto &[queue, values] : held)
    for (Value &value : values)
      value = nameOf(value);
}

bool BlockStates::join(const BlockStates &other) {
  bool changed = false;
  auto unite = [&](unsigned &known, unsigned states) {
    changed |= (known | states) != known;
    known |= states;
  };
  for (auto &[block, states] : other.blocks)
    unite(blocks[block], states);
  for (auto &[handle, transfer] : other.transfers) {
    auto entry = std::make_pair(handle, Transfer{transfer.copy, transfer.block, 0});
    unite(transfers.insert(entry).first->second.states, transfer.states);
  }
  return changed;
}

Value ttjit::heldInOneOnly(const BlockStates &a, const BlockStates &b) {
  auto missing = [](const BlockStates &from, const BlockStates &in) -> Value {
    for (auto &[queue, blocks] : from.held)
      for (Value block : blocks)
        if (!in.holds(block))
          return block;
    return {};
  };
  Value first = missing(a, b);
  return first ? first : missing(b, a);
}

Value ttjit::heldInOtherOrder(const BlockStates &a, const BlockStates &b) {
  for (auto &[queue, blocks] : a.held) {
    auto it = b.held.find(queue);
    if (it == b.held.end())
      continue;
    for (auto [block, other] : llvm::zip(blocks, it->second))
      if (block != other)
        return block;
  }
  return {};
}
