//===- PipePasses.td - passes for what goes on between nodes -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PIPEPASSES_TD
#define TTJIT_PIPEPASSES_TD

include "passes/PassesBase.td"

//===------------------------------------------------------------------------------===//
// Stage sync, before the passes of Passes.td
//===------------------------------------------------------------------------------===//

def TTLInferPipeSemaphores : TTLPass<"ttl-infer-pipe-semaphores"> {
  let summary = "Lower pipes to landing slots, counters and loops over each node's pipes";
  let options = [Option<"shareSlots", "share-slots", "bool", /*default=*/"true",
                        "Let pipes that end at one node share a landing slot where proved">,
                 Option<"landDirectly", "land-directly", "bool", /*default=*/"true",
                        "Let data land in the receiver's block where proved">,
                 Option<"plant", "plant", "std::string", /*default=*/"\"\"",
                        "For tests of the emulated device: lower wrongly (extra-credit, flag-first, "
                        "slot-too-few)">];
  let statistics = [Statistic<"nets", "nets", "Nets lowered">,
                    Statistic<"words", "words", "Counters of nets, per node">,
                    Statistic<"shared", "shared", "Nets whose receivers have one slot">,
                    Statistic<"direct", "direct", "Nets whose data land directly">];
}

#endif // TTJIT_PIPEPASSES_TD
