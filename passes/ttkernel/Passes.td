//===- Passes.td - passes of stage ttkernel --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_PASSES_TD
#define TTJIT_PASSES_TTKERNEL_PASSES_TD

include "passes/common/PassBase.td"

def TTLCoalesceDMA : TTLThreadPass<"ttl-coalesce-dma"> {
  let summary = "Move pages that are adjacent in a block and in a tensor in one transfer";
  let statistics = [
    Statistic<"numCopies", "num-copies", "Number of copies between tensors and blocks">,
    Statistic<"numCoalesced", "num-coalesced", "Number of copies that move several pages in one transfer">];
}

def TTLLowerCompute : TTLThreadPass<"ttl-lower-compute"> {
  let summary = "Lower tile operations to calls of the compute API";
  let statistics = [
    Statistic<"numLowered", "lowered", "Number of tile operations that became calls">,
    Statistic<"numInits", "inits", "Number of init calls">];
}

def TTLLowerDataMovement : TTLThreadPass<"ttl-lower-data-movement"> {
  let summary = "Lower transfers to loops over pages and barriers";
  let statistics = [
    Statistic<"numTransfers", "transfers", "Number of copies that became transfers of pages">,
    Statistic<"numBarriers", "barriers", "Number of waits and barriers that became NoC barriers">];
}

def TTLLowerSynchronization : TTLThreadPass<"ttl-lower-synchronization"> {
  let summary = "Lower buffer operations, node queries and the threads' arguments";
  let statistics = [
    Statistic<"numLowered", "lowered", "Number of operations that became calls or arguments">];
}

def TTLSkipArithmetic : TTLThreadPass<"ttl-skip-arithmetic"> {
  let summary = "Let compute threads produce zeros instead of results (--dry-run)";
  let statistics = [
    Statistic<"numSkipped", "skipped", "Number of tile operations that were replaced or erased">];
}

def TTLNoteCosts : TTLThreadPass<"ttl-note-costs"> {
  let summary = "Let threads tell what their tile operations and scalar ops are (--time)";
  let statistics = [Statistic<"numNotes", "notes", "Number of signposts that tell costs">];
}

def TTLVerifyLowered : TTLThreadPass<"ttl-verify-lowered"> {
  let summary = "Check that the engines and the emitter know all remaining ops";
  let options = [Option<"internal", "internal", "bool", /*default=*/"false",
                        "Report what is left as a mistake of the compiler, whose pipeline this is">];
}

#endif // TTJIT_PASSES_TTKERNEL_PASSES_TD
