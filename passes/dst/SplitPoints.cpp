//===- SplitPoints.cpp - where to split a compute that does not fit -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Dynamic programming over the order: the best way to compute the first j ops is the
// best way to compute the first i ops, followed by one piece for the rest. A piece
// grows op by op while its registers suffice; its loads and stores are counted as it
// grows.
//===--------------------------------------------------------------------------===//

#include "passes/dst/SplitPoints.h"

#include "passes/dst/DSTSchedule.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class SplitChooser {
public:
  SplitChooser(ttl::ComputeOp compute, const TileOrder &order, int capacity, int longest)
      : order(order), capacity(capacity), longest(longest) {
    describe(compute);
  }

  Split run();

private:
  // An operand in DST: the position of a value in the order, or -1 for a value that is
  // loaded or that is filled where it is read.
  struct Operand {
    int position;
    int number;    // number of the value, to count it once per piece
    bool fromL1;   // whether a load is needed if the piece does not make the value
    bool restored; // whether the value was spilled on purpose and must be loaded
  };
  struct Op {
    SmallVector<Operand, 3> operands;
    int lastUse = -1;
    bool yielded = false, pair = false;
  };

  // A piece that begins at `start` and grows op by op.
  struct Piece {
    int start;
    int live = 0; // number of the piece's values that are needed after its last op so far
    int loads = 0;
    int stores = 0; // number of the piece's values that ops after it read
  };

  void describe(ttl::ComputeOp compute);
  bool grow(Piece &piece, int at);
  void extendFrom(int start);

  // The least cost of computing all ops before a position, and where the last piece
  // begins. The number of pieces decides only between equal numbers of tiles.
  struct Best {
    int64_t cost = INT64_MAX;
    int start = -1;
  };
  static constexpr int64_t kTile = 1 << 20;

  const TileOrder &order;
  int capacity, longest;
  std::vector<Op> ops;
  std::vector<int> seen; // for each value, the start of the piece that counted it
  std::vector<Best> best;
};

void SplitChooser::describe(ttl::ComputeOp compute) {
  DenseMap<Value, int> numbers, positions;
  for (auto [i, op] : llvm::enumerate(order))
    positions[op->getResult(0)] = i;
  ops.resize(order.size());
  for (auto [i, op] : llvm::enumerate(order)) {
    ops[i].pair = needsPair(op);
    for (Value operand : dstOperands(op)) {
      Value value = spilledValue(operand);
      int number = numbers.try_emplace(value, numbers.size()).first->second;
      auto it = positions.find(value);
      int position = it == positions.end() ? -1 : it->second;
      if (position >= 0)
        ops[position].lastUse = i;
      ops[i].operands.push_back(
          {position, number, !value.getDefiningOp<ttl::TileFillOp>(), value != operand});
    }
  }
  for (Value value : compute.getBody().front().getTerminator()->getOperands())
    if (auto it = positions.find(spilledValue(value)); it != positions.end())
      ops[it->second].yielded = true;
  seen.assign(numbers.size(), -1);
}

// Adds op `at`; returns false if the registers do not suffice. Values that the piece
// yields or stores keep their register to its end.
bool SplitChooser::grow(Piece &piece, int at) {
  const Op &op = ops[at];
  int before = piece.live, loaded = 0, dying = 0;
  for (const Operand &operand : op.operands) {
    bool own = operand.position >= piece.start;
    if (own && operand.restored)
      return false;
    if (!own) {
      ++loaded;
      if (operand.fromL1 && seen[operand.number] != piece.start) {
        seen[operand.number] = piece.start;
        ++piece.loads;
      }
      continue;
    }
    const Op &source = ops[operand.position];
    if (source.lastUse == at) {
      piece.stores -= 1;
      dying += !source.yielded;
    }
  }
  piece.live += 1 - dying;
  if (op.lastUse > at)
    ++piece.stores;
  // In the worst case data and mask of a pair are both copied to a pair of registers.
  int needed = std::max(before + loaded, piece.live) + (op.pair ? 2 : 0);
  return needed <= capacity || at == piece.start;
}

void SplitChooser::extendFrom(int start) {
  if (best[start].cost == INT64_MAX)
    return;
  Piece piece{start};
  int end = std::min<int>(order.size(), start + longest);
  for (int at = start; at < end && grow(piece, at); ++at) {
    int64_t cost = best[start].cost + kTile * (piece.loads + piece.stores) + 1;
    if (cost < best[at + 1].cost)
      best[at + 1] = {cost, start};
  }
}

Split SplitChooser::run() {
  best.assign(order.size() + 1, {});
  best[0].cost = 0;
  for (int start = 0; start < static_cast<int>(order.size()); ++start)
    extendFrom(start);
  Split split;
  split.traffic = best.back().cost / kTile;
  for (int end = order.size(); end > 0; end = best[end].start)
    split.pieces.emplace_back(order.begin() + best[end].start, order.begin() + end);
  std::reverse(split.pieces.begin(), split.pieces.end());
  return split;
}

} // namespace

Value ttjit::spilledValue(Value value) {
  while (auto restore = value.getDefiningOp<ttl::RestoreTileFromL1Op>())
    value = restore.getSpilled().getDefiningOp<ttl::SpillTileToL1Op>().getTile();
  return value;
}

Split ttjit::chooseSplit(ttl::ComputeOp compute, const TileOrder &order, int capacity,
                         int longest) {
  return SplitChooser(compute, order, capacity, longest).run();
}
