//===- Passes.td - passes of stage loops -----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_PASSES_TD
#define TTJIT_PASSES_LOOPS_PASSES_TD

include "passes/common/PassBase.td"

def TTLLowerToLoops : TTLThreadPass<"ttl-lower-to-loops"> {
  let summary = "Turn ttl.compute into loops over tiles";
  let statistics = [Statistic<"numComputes", "computes", "Number of ttl.compute ops that became loops">];
}

def TTLUnrollComputeLoops : TTLThreadPass<"ttl-unroll-compute-loops"> {
  let summary = "Compute several tiles in one DST section";
  let options = [Option<"packBlocks", "pack-blocks", "bool", /*default=*/"false",
                        "Pack consecutive registers with one call">];
  let statistics = [Statistic<"numUnrolled", "unrolled", "Number of loop nests that were unrolled">];
}

def TTLAccumulateInDST : TTLPass<"ttl-accumulate-in-dst"> {
  let summary = "Keep accumulators of loops in DST registers instead of buffers in L1";
  let statistics = [Statistic<"numAccumulators", "accumulators", "Number of accumulators that were moved to DST">];
}

def TTLInsertTileRegsSync : TTLThreadPass<"ttl-insert-tile-regs-sync"> {
  let summary = "Put each group of tile operations into a DST section";
  let statistics = [Statistic<"numSections", "sections", "Number of DST sections">];
}

#endif // TTJIT_PASSES_LOOPS_PASSES_TD
