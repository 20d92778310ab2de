//===- LoopPlan.h - the loops that compute a DST section ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Packed tiles that share no computation get loops of their own, so that equal tiles can
// share one function. A loop with a long body is cut: its values would not fit into the
// vector registers. Values that cross a cut go through scratch tiles of fp32, unrounded.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_LOOPPLAN_H
#define TTJIT_PASSES_LLVM_LOOPPLAN_H

#include "passes/llvm/SectionGraph.h"

#include <optional>

namespace ttjit::tollvm {

/// A loop over the elements of tiles. An element of each of `values` is computed in order;
/// before that those of `reads` are read, after that those of `writes` and `packs` are written.
struct TileLoop {
  llvm::SmallVector<unsigned> values;         ///< ascending
  llvm::SmallVector<GraphPack> reads, writes; ///< values in scratch tiles
  llvm::SmallVector<GraphPack> packs;
};

/// Returns the loops in the order in which they run, and adds scratch tiles to the graph.
/// Returns nothing if the section needs more scratch tiles than there are.
std::optional<llvm::SmallVector<TileLoop>> planLoops(SectionGraph &graph);

} // namespace ttjit::tollvm

#endif // TTJIT_PASSES_LLVM_LOOPPLAN_H
