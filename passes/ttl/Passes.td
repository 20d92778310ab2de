//===- Passes.td - passes of stage ttl -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PASSES_TD
#define TTJIT_PASSES_TTL_PASSES_TD

include "passes/common/PassBase.td"

def TTLLowerAffine : TTLPass<"ttl-lower-affine"> {
  let summary = "Replace affine loops, branches and index arithmetic by scf and arith";
  let statistics = [Statistic<"numLowered", "lowered", "Affine ops that were replaced">];
}

def TTLMicrocoresToThreads : TTLPass<"ttl-microcores-to-threads"> {
  let summary = "Replace threads that name their processors by compute and data movement threads";
  let statistics = [Statistic<"numThreads", "threads", "Threads that were replaced">];
}

def TTLThreadsToMicrocores : TTLPass<"ttl-threads-to-microcores"> {
  let summary = "Replace compute and data movement threads by threads that name their processors";
  let statistics = [Statistic<"numThreads", "threads", "Threads that were replaced">];
}

def TTLSplitUnifiedThreads : TTLPass<"ttl-split-unified-threads"> {
  let summary = "Split the body of a unified operation into compute and data movement threads";
  let statistics = [Statistic<"numThreads", "threads", "Threads made from unified threads">];
}

def TTLCanonicalize : TTLPass<"ttl-canonicalize"> {
  let summary = "Expand abbreviations, fold constants of the known grid, remove dead code, merge equal values";
  let options = [Option<"arch", "arch", "std::string", /*default=*/"std::string(::ttjit::hw::kDefaultArch)",
                        "Chip for kernels that do not name one">];
  let statistics = [
    Statistic<"numAliases", "aliases-replaced", "Number of replaced ops of tt-lang's dialect">,
    Statistic<"numWindows", "windows-lowered", "Number of ttl.grid_slice ops that became index arithmetic">];
}

def TTLVerifyLayouts : TTLPass<"ttl-verify-layouts"> {
  let summary = "Check that transfers can address their tensors";
}

def TTLCheckMeshAccess : TTLPass<"ttl-check-mesh-access"> {
  let summary = "In mesh grids, check that each device copies its own part of a tensor";
  let statistics = [Statistic<"numChecked", "checked", "Copies that got a check">];
}

def TTLInsertCopyWaits : TTLPass<"ttl-insert-copy-waits"> {
  let summary = "Complete copies for which a path has no wait";
  let statistics = [Statistic<"numCompleted", "completed", "Number of copies that got a wait">];
}

def TTLInsertReleases : TTLPass<"ttl-insert-releases"> {
  let summary = "Release blocks that the user releases on no path";
  let statistics = [Statistic<"numReleases", "releases", "Number of releases that were added">];
}

def TTLVerifyTensorBacking : TTLPass<"ttl-verify-tensor-backing"> {
  let summary = "Check buffers that are parts of tensors, and how threads use them";
}

def TTLMergeAllocationGroups : TTLPass<"ttl-merge-allocation-groups"> {
  let summary = "Make the buffers of one allocation group one buffer";
  let statistics = [Statistic<"numMerged", "merged", "Buffers that became part of another one">];
}

def TTLVerifyProtocol : TTLPass<"ttl-verify-protocol"> {
  let summary = "Check the order in which blocks are acquired, used and released";
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Reject buffers whose producer or consumer on a node depends on run-time values">,
    Option<"portable", "portable", "bool", /*default=*/"false",
           "Reject uses of blocks that tt-lang's compiler refuses for a card">,
    Option<"compileOnly", "compile-only", "bool", /*default=*/"false",
           "Warn of mistakes that only a run of the kernel would meet, instead of rejecting them">];
}

def TTLReplaceWaitedBlocks : TTLPass<"ttl-replace-waited-blocks"> {
  let summary = "Give a block that was waited for its new value in a buffer of its own";
  let statistics = [Statistic<"numReplaced", "replaced", "Blocks with a new value">];
}

def TTLNameHeldBlocks : TTLPass<"ttl-name-held-blocks"> {
  let summary = "Name each block that loops and branches carry by its place among the held blocks";
  let statistics = [Statistic<"numNamed", "named", "Number of carried blocks that got a name">];
}

#endif // TTJIT_PASSES_TTL_PASSES_TD
