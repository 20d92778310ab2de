//===- Passes.td - passes on distributed tensors ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DIST_PASSES_TD
#define TTJIT_PASSES_DIST_PASSES_TD

include "passes/common/PassBase.td"

def LowerRedistribute : TTLPass<"ttl-lower-redistribute"> {
  let summary = "Replace distributed tensors by those of each chip, and redistributions by collectives";
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say at each redistribution which collectives it becomes, and the bytes that they send">,
    Option<"plan", "plan", "bool", /*default=*/"true",
           "Let redistributions of one tensor share collectives; without it, collectives keep their "
           "#ttcore.shard_group">];
  let statistics = [
    Statistic<"numCollectives", "collectives", "Collectives that were made">,
    Statistic<"numShared", "shared", "Collectives that several redistributions share">,
    Statistic<"numBytes", "bytes", "Bytes that each chip sends in a ring">];
}

#endif // TTJIT_PASSES_DIST_PASSES_TD
