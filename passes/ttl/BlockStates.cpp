//===- BlockStates.cpp - the state of a thread's blocks -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/BlockStates.h"

#include "passes/common/Copies.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

const BlockStates::Held *BlockStates::find(Value block) const {
  for (auto &[queue, blocks] : held)
    for (const Held &candidate : blocks)
      if (candidate.block == block)
        return &candidate;
  return nullptr;
}

ttl::CopyOp BlockStates::lockOf(Value block, bool into) const {
  for (auto &[handle, transfer] : transfers) {
    ttl::CopyOp copy = transfer.copy;
    if (transfer.states == InFlightState && fillsBlock(copy) == into && transfer.block == block)
      return copy;
  }
  return {};
}

// All values are renamed at the same time, since a loop may carry them in another
// order.
void BlockStates::rename(ValueRange from, ValueRange to) {
  if (from.empty())
    return;
  llvm::SmallDenseMap<Value, Value> names;
  for (auto [name, other] : llvm::zip(from, to))
    names[name] = other;
  auto nameOf = [&](Value value) { return names.count(value) ? names[value] : value; };
  for (auto &[queue, blocks] : held)
    for (Held &block : blocks)
      block.block = nameOf(block.block);
  decltype(transfers) renamed;
  for (auto &[handle, transfer] : transfers) {
    // In the last iteration `handle` was the name of another transfer. Drop the state of that
    // transfer.
    if (!names.count(handle) && llvm::is_contained(to, handle))
      continue;
    renamed[nameOf(handle)] = {transfer.copy, nameOf(transfer.block), transfer.states};
  }
  transfers = std::move(renamed);
}

void BlockStates::end() {
  for (auto &[queue, blocks] : held)
    for (Held &block : blocks)
      block.states = 0;
  for (auto &[handle, transfer] : transfers)
    transfer.states = 0;
}

bool BlockStates::join(const BlockStates &other) {
  bool changed = false;
  auto unite = [&](unsigned &known, unsigned states) {
    changed |= (known | states) != known;
    known |= states;
  };
  for (auto &[queue, blocks] : held)
    for (auto [known, from] : llvm::zip(blocks, other.held.lookup(queue)))
      unite(known.states, from.states);
  for (auto &[handle, transfer] : other.transfers) {
    auto entry = std::make_pair(handle, Transfer{transfer.copy, transfer.block, 0});
    unite(transfers.insert(entry).first->second.states, transfer.states);
  }
  return changed;
}

Value ttjit::heldInFirstOnly(const BlockStates &a, const BlockStates &b) {
  for (auto &[queue, blocks] : a.held)
    for (const BlockStates::Held &held : blocks)
      if (!b.find(held.block))
        return held.block;
  return {};
}

std::pair<Value, Value> ttjit::heldInOtherOrder(const BlockStates &a, const BlockStates &b) {
  for (auto &[queue, blocks] : a.held)
    for (auto [held, other] : llvm::zip(blocks, b.held.lookup(queue)))
      if (held.block != other.block)
        return {held.block, other.block};
  return {};
}
