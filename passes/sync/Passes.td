//===- Passes.td - passes of stage sync ------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_PASSES_TD
#define TTJIT_PASSES_SYNC_PASSES_TD

include "passes/common/PassBase.td"

def TTLInferPipeSemaphores : TTLPass<"ttl-infer-pipe-semaphores"> {
  let summary = "Lower pipes to landing slots, counters and loops over each node's pipes";
  let options = [Option<"shareSlots", "share-slots", "bool", /*default=*/"true",
                        "Let pipes that end at one node share a landing slot if that is proved safe">,
                 Option<"landDirectly", "land-directly", "bool", /*default=*/"true",
                        "Let data land in the receiver's block if that is proved safe">];
  let statistics = [Statistic<"nets", "nets", "Number of nets that were lowered">,
                    Statistic<"words", "words", "Number of counters per node">,
                    Statistic<"shared", "shared", "Number of nets whose receivers have one slot">,
                    Statistic<"direct", "direct", "Number of nets whose data land in the receiver's block">];
}

def TTLInsertSynchronization : TTLPass<"ttl-insert-synchronization"> {
  let summary = "Wait for every copy before its block is released, with as few barriers as possible";
  let options = [Option<"merge", "merge", "bool", /*default=*/"true",
                        "Replace several waits by one barrier if it waits for no other copy">];
  let statistics = [
    Statistic<"numCompleted", "num-completed", "Number of copies that had no wait and got one">,
    Statistic<"numRedundant", "num-redundant", "Number of waits removed because no copy can be in flight">,
    Statistic<"numMerged", "num-merged", "Number of waits that became part of a barrier">];
}

#endif // TTJIT_PASSES_SYNC_PASSES_TD
