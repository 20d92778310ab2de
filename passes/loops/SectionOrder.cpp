//===- SectionOrder.cpp - the order of ops of a DST section -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1. Keep the registers that the ops have. Cut the body wherever all values of a tile that are
//    still needed are in the registers of its outputs. Compute a piece for all tiles before the
//    next piece.
// 2. If that leaves several SFPU functions in a piece: cut the body after each op, load tiles right
//    before their first reader, and give the values of all tiles registers anew, each the lowest
//    free one. Use this if it needs fewer inits and the registers suffice.
//===--------------------------------------------------------------------------===//

#include "passes/loops/SectionOrder.h"

#include "hw/facts/TileOps.h"
#include "passes/dst/TileFacts.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns what the SFPU must be set up for; empty if `op` does not use it.
static StringRef sfpuSetupOf(Operation *op) {
  if (auto row = dyn_cast<ttcore::TileOpInterface>(op))
    return hw::factsOf(row.getTileOp()).init;
  if (isa<ttl::TileFillOp, ttl::CopyDestValuesOp>(op))
    return op->getName().getStringRef();
  return {};
}

static int64_t countSetups(ArrayRef<SectionStep> steps) {
  int64_t count = 0;
  StringRef last;
  for (const SectionStep &step : steps) {
    StringRef setup = sfpuSetupOf(step.op);
    if (setup.empty() || setup == last)
      continue;
    last = setup;
    ++count;
  }
  return count;
}

static SmallVector<SectionStep> inOrder(ArrayRef<SmallVector<Operation *>> groups, int64_t tiles) {
  SmallVector<SectionStep> steps;
  for (ArrayRef<Operation *> group : groups)
    for (int64_t tile = 0; tile < tiles; ++tile)
      for (Operation *op : group)
        steps.push_back({op, tile});
  return steps;
}

//===--------------------------------------------------------------------------===//
// New registers
//===--------------------------------------------------------------------------===//

namespace {

class Renumbering {
public:
  Renumbering(int64_t tiles, int capacity) : registers(tiles), free(capacity, true) {}

  // Gives the results of all steps registers; returns false if there are too few.
  bool run(MutableArrayRef<SectionStep> steps) {
    for (auto [number, step] : llvm::enumerate(steps))
      for (Value operand : dstOperands(step.op))
        lastReads[{step.tile, operand}] = number;
    for (auto [number, step] : llvm::enumerate(steps))
      if (!visit(step, number))
        return false;
    return true;
  }

private:
  bool visit(SectionStep &step, size_t number) {
    if (!isa<ttl::DSTResultOpInterface>(step.op))
      return true;
    auto isDead = [&](Value value) {
      bool isPacked = llvm::any_of(value.getUsers(), llvm::IsaPred<ttl::PackTileOp>);
      auto read = lastReads.find({step.tile, value});
      return !isPacked && (read == lastReads.end() || read->second <= number);
    };
    Value result = step.op->getResult(0), inPlace = inPlaceOperand(step.op);
    int reg = inPlace ? registers[step.tile].lookup(inPlace) : free.find_first();
    if (reg < 0 || (inPlace && !isDead(inPlace)))
      return false;
    free.reset(reg);
    for (Value operand : dstOperands(step.op))
      if (operand != inPlace && isDead(operand))
        free.set(registers[step.tile].lookup(operand));
    if (isDead(result))
      free.set(reg);
    step.reg = registers[step.tile][result] = reg;
    return true;
  }

  SmallVector<DenseMap<Value, int>> registers; // by tile
  DenseMap<std::pair<int64_t, Value>, size_t> lastReads;
  llvm::SmallBitVector free;
};

} // namespace

//===--------------------------------------------------------------------------===//
// The body
//===--------------------------------------------------------------------------===//

SectionOrder::SectionOrder(Block &body, ArrayRef<int32_t> outputs) : body(body), outputs(outputs) {
  for (Operation &op : body.without_terminator())
    if (!isa<ttl::PackTileOp>(op)) {
      numbers[&op] = ops.size();
      ops.push_back(&op);
    }
  findGroups();
}

// Forbids cuts between op `number` of the body, which contains `op`, and the last reader of `op`'s
// result, if the tiles of a section share its register. What a ttl.dst_tile finds in such a
// register may come from any op before it.
void SectionOrder::keepTogether(Operation *op, int64_t number, SmallVectorImpl<bool> &cuts) {
  auto tile = dyn_cast<ttl::DSTResultOpInterface>(op);
  std::optional<int> reg = tile ? tile.getRegister() : std::nullopt;
  if (!tile || (reg && isOutput(*reg)))
    return;
  int64_t first = isa<ttl::DSTTileOp>(op) ? 0 : number + 1, last = number;
  for (Operation *user : op->getUsers())
    if (Operation *reader = body.findAncestorOpInBlock(*user))
      last = std::max(last, numbers.lookup(reader));
  for (int64_t cut = first; cut <= last; ++cut)
    cuts[cut] = false;
}

void SectionOrder::findGroups() {
  SmallVector<bool> cuts(ops.size(), true); // whether a piece may begin with the op
  for (auto [number, op] : llvm::enumerate(ops))
    op->walk([&, number = number](Operation *inner) { keepTogether(inner, number, cuts); });
  for (auto [op, mayCut] : llvm::zip_equal(ops, cuts)) {
    if (groups.empty() || mayCut)
      groups.emplace_back();
    groups.back().push_back(op);
  }
}

// Returns whether an op computes numbers only. Ops that write an operand's register have no result.
static bool isScalar(Operation *op) {
  auto isTile = [](Value value) { return isa<ttcore::TileType>(value.getType()); };
  return op->getNumResults() != 0 && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperands(), isTile) && llvm::none_of(op->getResults(), isTile);
}

// Returns whether each op is a number, a load, or works on any registers and on nothing else.
bool SectionOrder::mayRenumber() const {
  return llvm::all_of(ops, [](Operation *op) {
    bool isRow = isa<ttcore::TileOpInterface>(op) && !needsPair(op);
    return isScalar(op) || isRow || isa<ttl::GetTileOp, ttl::TileFillOp, ttl::CopyDestValuesOp>(op);
  });
}

// Returns the ops on numbers, then for each op on tiles the loads that it needs first and the op.
SmallVector<SectionOrder::Group> SectionOrder::groupsByOp() const {
  SmallVector<Group> result(1);
  DenseSet<Operation *> done;
  auto add = [&](Group &group, Operation *op) {
    if (done.insert(op).second)
      group.push_back(op);
  };
  for (Operation *op : ops)
    if (!isa<ttl::DSTResultOpInterface>(op))
      add(result.front(), op);
  for (Operation *op : ops) {
    if (isa<ttl::GetTileOp>(op) || done.contains(op))
      continue;
    Group &group = result.emplace_back();
    for (Value operand : dstOperands(op))
      if (auto load = operand.getDefiningOp<ttl::GetTileOp>())
        add(group, load);
    add(group, op);
  }
  Group &packed = result.emplace_back(); // the loads that only packs read
  for (Operation *op : ops)
    add(packed, op);
  return result;
}

SmallVector<SectionStep> SectionOrder::order(int64_t tiles, int capacity) {
  SmallVector<SectionStep> steps = inOrder(groups, tiles);
  if (capacity == 0 || tiles == 1 || !mayRenumber())
    return steps;
  SmallVector<SectionStep> byOp = inOrder(groupsByOp(), tiles);
  bool isBetter = countSetups(byOp) < countSetups(steps);
  return isBetter && Renumbering(tiles, capacity).run(byOp) ? byOp : steps;
}
