//===- Passes.td - passes of stage ttl ---------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PASSES_TD
#define TTJIT_PASSES_TTL_PASSES_TD

include "passes/common/PassBase.td"

def TTLSplitUnifiedThreads : TTLPass<"ttl-split-unified-threads"> {
  let summary = "Split the body of a unified operation into compute and data movement threads";
  let statistics = [Statistic<"numThreads", "threads", "Threads made from unified threads">];
}

def TTLCanonicalize : TTLPass<"ttl-canonicalize"> {
  let summary = "Fold what the known grid decides, remove dead code, merge equal values";
  let options = [Option<"arch", "arch", "std::string", /*default=*/"std::string(::ttjit::hw::kDefaultArch)",
                        "Chip of kernels that name none">];
  let statistics = [
    Statistic<"numAliases", "aliases-replaced", "Ops of tt-lang's dialect that became ours">,
    Statistic<"numWindows", "windows-lowered", "ttl.grid_slice ops that became index arithmetic">];
}

def TTLVerifyLayouts : TTLPass<"ttl-verify-layouts"> {
  let summary = "Check that transfers can address their tensors";
}

def TTLInsertReleases : TTLPass<"ttl-insert-releases"> {
  let summary = "Release blocks that the user releases on no path";
  let statistics = [Statistic<"numReleases", "releases", "Releases added">];
}

def TTLMergeAllocationGroups : TTLPass<"ttl-merge-allocation-groups"> {
  let summary = "Make the buffers of one allocation group one buffer";
  let statistics = [Statistic<"numMerged", "merged", "Buffers that became part of another one">];
}

def TTLVerifyProtocol : TTLPass<"ttl-verify-protocol"> {
  let summary = "Check the order in which blocks are acquired, used and released";
}

def TTLReplaceWaitedBlocks : TTLPass<"ttl-replace-waited-blocks"> {
  let summary = "Give a block that was waited for its new value in a buffer of its own";
  let statistics = [Statistic<"numReplaced", "replaced", "Blocks with a new value">];
}

def TTLNameHeldBlocks : TTLPass<"ttl-name-held-blocks"> {
  let summary = "Name blocks that loops and branches hand on by their place among those held";
  let statistics = [Statistic<"numNamed", "named", "Blocks handed on that got a name">];
}

#endif // TTJIT_PASSES_TTL_PASSES_TD
