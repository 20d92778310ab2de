//===- Passes.td - passes of stage ttkernel ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_PASSES_TD
#define TTJIT_PASSES_TTKERNEL_PASSES_TD

include "passes/common/PassBase.td"

def TTLCoalesceDMA : TTLThreadPass<"ttl-coalesce-dma"> {
  let summary = "Move pages that follow each other in both places at once";
  let statistics = [
    Statistic<"numCopies", "num-copies", "Copies between tensors and blocks">,
    Statistic<"numCoalesced", "num-coalesced", "Copies that move several pages at once">];
}

def TTLLowerCompute : TTLThreadPass<"ttl-lower-compute"> {
  let summary = "Lower tile operations to calls of the compute API";
  let statistics = [
    Statistic<"numLowered", "lowered", "Tile operations that became calls">,
    Statistic<"numInits", "inits", "Calls that tell the hardware what comes next">];
}

def TTLLowerDataMovement : TTLThreadPass<"ttl-lower-data-movement"> {
  let summary = "Lower transfers to page loops and barriers";
  let statistics = [
    Statistic<"numTransfers", "transfers", "Copies that became transfers of pages">,
    Statistic<"numBarriers", "barriers", "Waits and barriers that became barriers of the NoC">];
}

def TTLLowerSynchronization : TTLThreadPass<"ttl-lower-synchronization"> {
  let summary = "Lower buffer operations, node queries and the threads' arguments";
  let statistics = [
    Statistic<"numLowered", "lowered", "Operations that became calls or arguments">];
}

def TTLVerifyLowered : TTLThreadPass<"ttl-verify-lowered"> {
  let summary = "Check that only ops remain that the engines and the emitter know";
}

#endif // TTJIT_PASSES_TTKERNEL_PASSES_TD
