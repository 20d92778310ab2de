//===- Passes.td - passes of stage dst -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_PASSES_TD
#define TTJIT_PASSES_DST_PASSES_TD

include "passes/common/PassBase.td"

def TTLInferDSTRequirements : TTLPass<"ttl-infer-dst-requirements"> {
  let summary = "Choose the compute configuration where the kernel leaves it open";
  let statistics = [Statistic<"numInferred", "inferred", "Number of programs that got a configuration">];
}

def TTLAssignDST : TTLPass<"ttl-assign-dst"> {
  let summary = "Assign DST registers to the tiles of ttl.compute";
  let options = [
    Option<"schedule", "schedule", "bool", /*default=*/"false",
           "Order the operations for register pressure first (phase 0)">,
    Option<"expireAtUse", "expire-at-use", "bool", /*default=*/"false",
           "Let a value take the register of one whose last use defines it">,
    Option<"lazyLoads", "lazy-loads", "bool", /*default=*/"false",
           "Load tiles at their first use instead of all at the start">,
    Option<"fpuBinary", "fpu-binary", "bool", /*default=*/"false",
           "Compute sums, differences and products of tiles in L1 on the matrix engine">,
    Option<"allowSplit", "split", "bool", /*default=*/"true",
           "Split computes that need more registers than there are">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Emit a remark that shows which registers each compute uses and when">];
  let statistics = [
    Statistic<"numComputes", "computes", "Number of ttl.compute ops">,
    Statistic<"numLoads", "loads", "Number of loads per tile">,
    Statistic<"numCopies", "copies", "Number of copies between registers per tile">,
    Statistic<"numSplits", "splits", "Number of ttl.compute ops that were split">,
    Statistic<"numSplitTiles", "split-tiles",
              "Number of tiles that pass between pieces, per tile of the output">,
    Statistic<"numFPU", "fpu", "Number of operations that run on the matrix engine">];
}

#endif // TTJIT_PASSES_DST_PASSES_TD
