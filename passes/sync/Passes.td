//===- Passes.td - passes of stage sync --------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_PASSES_TD
#define TTJIT_PASSES_SYNC_PASSES_TD

include "passes/common/PassBase.td"

def TTLInferPipeSemaphores : TTLPass<"ttl-infer-pipe-semaphores"> {
  let summary = "Lower pipes to landing slots, counters and loops over each node's pipes";
  let options = [Option<"shareSlots", "share-slots", "bool", /*default=*/"true",
                        "Let pipes that end at one node share a landing slot where proved">,
                 Option<"landDirectly", "land-directly", "bool", /*default=*/"true",
                        "Let data land in the receiver's block where proved">,
                 Option<"injectBug", "inject-bug", "std::string", /*default=*/"\"\"",
                        "For tests of the emulated device: lower wrongly (extra-credit, flag-first, "
                        "slot-too-few)">];
  let statistics = [Statistic<"nets", "nets", "Nets lowered">,
                    Statistic<"words", "words", "Counters of nets, per node">,
                    Statistic<"shared", "shared", "Nets whose receivers have one slot">,
                    Statistic<"direct", "direct", "Nets whose data land directly">];
}

def TTLInsertSynchronization : TTLPass<"ttl-insert-synchronization"> {
  let summary = "Wait for every copy before its block is released, with as few barriers as do";
  let options = [Option<"merge", "merge", "bool", /*default=*/"true",
                        "One barrier for several waits where it waits for nothing else">];
  let statistics = [
    Statistic<"numCompleted", "num-completed", "Copies completed that nobody waited for">,
    Statistic<"numRedundant", "num-redundant", "Waits removed: nothing can be in flight">,
    Statistic<"numMerged", "num-merged", "Waits that became part of one barrier">];
}

#endif // TTJIT_PASSES_SYNC_PASSES_TD
