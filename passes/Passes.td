//===- Passes.td - passes from ttl to ttkernel ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In pipeline order; Pipeline.cpp groups them into stages. What a pass does,
// step by step, and what it rejects stands at the top of its file.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TD
#define TTJIT_PASSES_TD

include "passes/PassesBase.td"

def StrictOption : Option<"strict", "strict", "bool", /*default=*/"false",
    "Refuse what the real chip lacks; otherwise warn and go on">;

//===------------------------------------------------------------------------------===//
// Stage ttl
//===------------------------------------------------------------------------------===//

def TTLCanonicalize : TTLPass<"ttl-canonicalize"> {
  let summary = "Fold what the known grid decides, remove dead code, merge equal values";
  let options = [Option<"arch", "arch", "std::string", /*default=*/"\"wormhole_b0\"",
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

def TTLVerifyProtocol : TTLPass<"ttl-verify-protocol"> {
  let summary = "Check the order in which blocks are acquired, used and released";
}

def TTLNameHeldBlocks : TTLPass<"ttl-name-held-blocks"> {
  let summary = "Name blocks that loops and branches hand on by their place among those held";
  let statistics = [Statistic<"numNamed", "named", "Blocks handed on that got a name">];
}

//===------------------------------------------------------------------------------===//
// Stage compute
//===------------------------------------------------------------------------------===//

def TTLFormCompute : TTLPass<"ttl-form-compute"> {
  let summary = "Fuse block expressions into ttl.compute";
  let statistics = [
    Statistic<"numExpressions", "expressions", "Block expressions">,
    Statistic<"numComputes", "computes", "Computes that they became">,
    Statistic<"numBuffers", "buffers", "Buffers made for values that must stand in L1">];
}

def TTLBufferizeExpressions : TTLPass<"ttl-bufferize-expressions"> {
  let summary = "Compute each block expression into a buffer of its own, without fusion";
  let statistics = [Statistic<"numBuffers", "ops-bufferized", "Ops that were bufferized">];
}

def TTLTileCompute : TTLPass<"ttl-tile-compute"> {
  let summary = "Tile computes that need too many DST registers, so that their pieces are small";
  let statistics = [Statistic<"numTiled", "tiled", "Computes that were tiled">];
}

//===------------------------------------------------------------------------------===//
// Stage sync
//===------------------------------------------------------------------------------===//

def TTLInsertSynchronization : TTLPass<"ttl-insert-synchronization"> {
  let summary = "Wait for every copy before its block is released, with as few barriers as do";
  let options = [Option<"merge", "merge", "bool", /*default=*/"true",
                        "One barrier for several waits where it waits for nothing else">];
  let statistics = [
    Statistic<"numCompleted", "num-completed", "Copies completed that nobody waited for">,
    Statistic<"numRedundant", "num-redundant", "Waits removed: nothing can be in flight">,
    Statistic<"numMerged", "num-merged", "Waits that became part of one barrier">];
}

//===------------------------------------------------------------------------------===//
// Stage threads
//===------------------------------------------------------------------------------===//

def TTLExpandThreads : TTLPass<"ttl-expand-threads"> {
  let summary = "Turn each kernel into a program and one function per thread";
  let statistics = [Statistic<"numThreads", "threads", "Threads that became functions">];
}

//===------------------------------------------------------------------------------===//
// Stage buffers
//===------------------------------------------------------------------------------===//

def TTLBufferize : TTLPass<"ttl-bufferize"> {
  let summary = "Give every block its slot: how it stands to its buffer's front";
  let statistics = [
    Statistic<"numBlocks", "num-blocks", "Acquires of blocks">,
    Statistic<"numHeldTogether", "num-held-together", "Uses of blocks behind older ones">,
    Statistic<"numCounted", "num-counted", "Buffers whose front is counted at run time">];
}

def TTLAllocateCircularBuffers : TTLPass<"ttl-allocate-circular-buffers"> {
  let summary = "Give circular buffers their index, page size and place in L1";
  let options = [StrictOption,
                 Option<"check", "check", "bool", /*default=*/"true",
                        "Compare with what the chip has">];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Circular buffers">,
    Statistic<"numBytes", "num-bytes", "Bytes of L1 they take on each core">,
    Statistic<"numBytesShared", "num-bytes-shared", "Bytes saved by sharing memory">];
}

def TTLAssignTransferIds : TTLPass<"ttl-assign-transfer-ids"> {
  let summary = "Give each transfer one of the 16 transaction ids";
  let statistics = [
    Statistic<"numTagged", "num-tagged", "Copies with an id of their own">,
    Statistic<"numUntagged", "num-untagged", "Copies waited for with all of their direction">];
}

//===------------------------------------------------------------------------------===//
// Stage dst
//===------------------------------------------------------------------------------===//

def TTLInferDSTRequirements : TTLPass<"ttl-infer-dst-requirements"> {
  let summary = "Choose the compute configuration where the kernel leaves it open";
  let statistics = [Statistic<"numInferred", "inferred", "Programs given a configuration">];
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
           "Say as remarks which registers each compute uses and when">];
  let statistics = [
    Statistic<"numComputes", "computes", "Computes that registers were tried for">,
    Statistic<"numLoads", "loads", "Loads per tile">,
    Statistic<"numCopies", "copies", "Copies between registers per tile">,
    Statistic<"numSplits", "splits", "Computes that were split">,
    Statistic<"numSplitTiles", "split-tiles",
              "Tiles per tile of the output that pass between pieces">,
    Statistic<"numFPU", "fpu", "Operations given to the matrix engine">];
}

//===------------------------------------------------------------------------------===//
// Stage loops
//===------------------------------------------------------------------------------===//

def TTLLowerToLoops : TTLPass<"ttl-lower-to-loops"> {
  let summary = "Turn ttl.compute into loops over tiles";
  let statistics = [Statistic<"numComputes", "computes", "Computes that became loops">];
}

def TTLUnrollComputeLoops : TTLPass<"ttl-unroll-compute-loops"> {
  let summary = "Compute several tiles in one DST section";
  let options = [Option<"packBlocks", "pack-blocks", "bool", /*default=*/"false",
                        "Pack registers that follow each other by one call">];
  let statistics = [Statistic<"numUnrolled", "unrolled", "Loop nests unrolled">];
}

def TTLAccumulateInDST : TTLPass<"ttl-accumulate-in-dst"> {
  let summary = "Keep accumulators of loops in DST registers instead of buffers in L1";
  let statistics = [Statistic<"numAccumulators", "accumulators", "Accumulators moved to DST">];
}

def TTLInsertTileRegsSync : TTLPass<"ttl-insert-tile-regs-sync"> {
  let summary = "Put each group of tile operations into a DST section";
  let statistics = [Statistic<"numSections", "sections", "DST sections">];
}

//===------------------------------------------------------------------------------===//
// Stage ttkernel
//===------------------------------------------------------------------------------===//

def TTLCoalesceDMA : TTLPass<"ttl-coalesce-dma"> {
  let summary = "Move pages that follow each other in both places at once";
  let statistics = [
    Statistic<"numCopies", "num-copies", "Copies between tensors and blocks">,
    Statistic<"numCoalesced", "num-coalesced", "Copies that move several pages at once">];
}

def TTLLowerCompute : TTLPass<"ttl-lower-compute"> {
  let summary = "Lower tile operations to calls of the compute API";
  let statistics = [
    Statistic<"numLowered", "lowered", "Tile operations that became calls">,
    Statistic<"numInits", "inits", "Calls that tell the hardware what comes next">];
}

def TTLLowerDataMovement : TTLPass<"ttl-lower-data-movement"> {
  let summary = "Lower transfers to page loops and barriers";
  let statistics = [
    Statistic<"numTransfers", "transfers", "Copies that became transfers of pages">,
    Statistic<"numBarriers", "barriers", "Waits and barriers that became barriers of the NoC">];
}

def TTLLowerSynchronization : TTLPass<"ttl-lower-synchronization"> {
  let summary = "Lower buffer operations, node queries and the threads' arguments";
  let statistics = [
    Statistic<"numLowered", "lowered", "Operations that became calls or arguments">];
}

def TTLVerifyLowered : TTLPass<"ttl-verify-lowered"> {
  let summary = "Check that only ops remain that the engines and the emitter know";
}

#endif // TTJIT_PASSES_TD
