//===- LoopPlan.cpp - the loops that compute a DST section --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/llvm/LoopPlan.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tollvm;

// Largest cost of a loop's body: one function that evaluates polynomials and 10 plain operations,
// or 22 plain operations. A loop with two such functions spills registers and is slower than two
// loops.
static constexpr int kMaxCost = 44;

// Number of scratch tiles: the DST registers of all sections, which are at least so many.
static constexpr size_t kMaxScratchTiles = 8;

namespace {

// Plans the loops of values that depend on each other.
class GroupPlanner {
public:
  GroupPlanner(SectionGraph &graph, SmallVector<TileLoop> &loops)
      : graph(graph), loops(loops), first(loops.size()) {}

  void plan(ArrayRef<GraphPack> packs);
  size_t numScratchTiles() const { return scratch.size(); }

private:
  SmallVector<unsigned> computedValues(ArrayRef<GraphPack> packs) const;
  void cut(ArrayRef<unsigned> computed);
  void addOperands(unsigned loop, unsigned value);
  unsigned scratchTile(unsigned value);

  SectionGraph &graph;
  SmallVector<TileLoop> &loops;
  unsigned first;                              // the group's first loop
  llvm::DenseMap<unsigned, unsigned> loopOf;   // loop that computes a value
  llvm::MapVector<unsigned, unsigned> scratch; // scratch tile of a value
};

} // namespace

// Returns the values that are no leaves and on which packed values depend, in order.
SmallVector<unsigned> GroupPlanner::computedValues(ArrayRef<GraphPack> packs) const {
  llvm::SetVector<unsigned> found;
  for (const GraphPack &pack : packs)
    if (!graph.values[pack.value].isLeaf())
      found.insert(pack.value);
  for (unsigned i = 0; i < found.size(); ++i)
    for (unsigned operand : graph.values[found[i]].operands)
      if (!graph.values[operand].isLeaf())
        found.insert(operand);
  SmallVector<unsigned> values = found.takeVector();
  llvm::sort(values);
  return values;
}

// Divides the values among loops, in order.
void GroupPlanner::cut(ArrayRef<unsigned> computed) {
  int cost = 0;
  loops.emplace_back();
  for (unsigned value : computed) {
    int added = graph.values[value].cost;
    if (cost > 0 && cost + added > kMaxCost) {
      loops.emplace_back();
      cost = 0;
    }
    cost += added;
    loops.back().values.push_back(value);
    loopOf[value] = loops.size() - 1;
  }
}

unsigned GroupPlanner::scratchTile(unsigned value) {
  auto [found, isNew] = scratch.insert({value, 0});
  if (isNew) {
    GraphTile tile{hw::SectionTileKind::Scratch,
                   static_cast<int>(scratch.size() - 1),
                   hw::DataFormat::Float32,
                   {}};
    auto *known = llvm::find(graph.tiles, tile);
    found->second = known - graph.tiles.begin();
    if (known == graph.tiles.end())
      graph.tiles.push_back(tile);
    loops[loopOf.at(value)].writes.push_back({value, found->second});
  }
  return found->second;
}

// Makes the operands of a value available in the loop that computes it.
void GroupPlanner::addOperands(unsigned loop, unsigned value) {
  for (unsigned operand : graph.values[value].operands) {
    if (graph.values[operand].isLeaf()) {
      loops[loop].values.push_back(operand);
    } else if (loopOf.at(operand) != loop) {
      unsigned tile = scratchTile(operand);
      if (llvm::none_of(loops[loop].reads, [&](auto &read) { return read.value == operand; }))
        loops[loop].reads.push_back({operand, tile});
    }
  }
}

void GroupPlanner::plan(ArrayRef<GraphPack> packs) {
  cut(computedValues(packs));
  for (const GraphPack &pack : packs) {
    bool isLeaf = graph.values[pack.value].isLeaf();
    unsigned loop = isLeaf ? first : loopOf.at(pack.value);
    loops[loop].packs.push_back(pack);
    if (isLeaf)
      loops[loop].values.push_back(pack.value);
  }
  for (unsigned loop = first; loop < loops.size(); ++loop) {
    for (unsigned value : SmallVector<unsigned>(loops[loop].values))
      addOperands(loop, value);
    SmallVector<unsigned> &values = loops[loop].values;
    llvm::sort(values);
    values.erase(llvm::unique(values), values.end());
  }
}

// Returns the packs in groups that share no value except leaves, in order.
static SmallVector<SmallVector<GraphPack>> groupPacks(const SectionGraph &graph) {
  llvm::IntEqClasses classes(graph.values.size());
  for (auto [i, value] : llvm::enumerate(graph.values))
    for (unsigned operand : value.operands)
      if (!graph.values[operand].isLeaf())
        classes.join(i, operand);
  llvm::MapVector<unsigned, SmallVector<GraphPack>> groups;
  for (const GraphPack &pack : graph.packs)
    groups[classes.findLeader(pack.value)].push_back(pack);
  return llvm::map_to_vector(groups, [](auto &group) { return group.second; });
}

std::optional<SmallVector<TileLoop>> ttjit::tollvm::planLoops(SectionGraph &graph) {
  SmallVector<TileLoop> loops;
  for (ArrayRef<GraphPack> packs : groupPacks(graph)) {
    GroupPlanner planner(graph, loops);
    planner.plan(packs);
    if (planner.numScratchTiles() > kMaxScratchTiles)
      return std::nullopt;
  }
  return loops;
}
