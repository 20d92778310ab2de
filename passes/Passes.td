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
}

def TTLVerifyProtocol : TTLPass<"ttl-verify-protocol"> {
  let summary = "Check the order in which blocks are acquired, used and released";
}

//===------------------------------------------------------------------------------===//
// Stage compute
//===------------------------------------------------------------------------------===//

def TTLFormCompute : TTLPass<"ttl-form-compute"> {
  let summary = "Fuse block expressions into ttl.compute";
}

def TTLBufferizeExpressions : TTLPass<"ttl-bufferize-expressions"> {
  let summary = "Compute each block expression into a buffer of its own, without fusion";
  let statistics = [Statistic<"numBuffers", "ops-bufferized", "Ops that were bufferized">];
}

//===------------------------------------------------------------------------------===//
// Stage sync
//===------------------------------------------------------------------------------===//

def TTLInsertSynchronization : TTLPass<"ttl-insert-synchronization"> {
  let summary = "Complete copies that nobody waits for before their block is released";
}

//===------------------------------------------------------------------------------===//
// Stage threads
//===------------------------------------------------------------------------------===//

def TTLExpandThreads : TTLPass<"ttl-expand-threads"> {
  let summary = "Turn each kernel into a program and one function per thread";
}

//===------------------------------------------------------------------------------===//
// Stage buffers
//===------------------------------------------------------------------------------===//

def TTLAllocateCircularBuffers : TTLPass<"ttl-allocate-circular-buffers"> {
  let summary = "Give circular buffers their index, page size and place in L1";
  let options = [StrictOption];
}

def TTLAssignTransferIds : TTLPass<"ttl-assign-transfer-ids"> {
  let summary = "Give each transfer one of the 16 transaction ids";
}

//===------------------------------------------------------------------------------===//
// Stage dst
//===------------------------------------------------------------------------------===//

def TTLInferDSTRequirements : TTLPass<"ttl-infer-dst-requirements"> {
  let summary = "Choose the compute configuration where the kernel leaves it open";
}

def TTLAssignDST : TTLPass<"ttl-assign-dst"> {
  let summary = "Assign DST registers to the tiles of ttl.compute";
  let options = [StrictOption];
}

//===------------------------------------------------------------------------------===//
// Stage loops
//===------------------------------------------------------------------------------===//

def TTLLowerToLoops : TTLPass<"ttl-lower-to-loops"> {
  let summary = "Turn ttl.compute into loops over tiles";
}

def TTLInsertTileRegsSync : TTLPass<"ttl-insert-tile-regs-sync"> {
  let summary = "Put each group of tile operations into a DST section";
}

//===------------------------------------------------------------------------------===//
// Stage ttkernel
//===------------------------------------------------------------------------------===//

def TTLLowerCompute : TTLPass<"ttl-lower-compute"> {
  let summary = "Lower tile operations to calls of the compute API";
}

def TTLLowerDataMovement : TTLPass<"ttl-lower-data-movement"> {
  let summary = "Lower transfers to page loops and barriers";
}

def TTLLowerSynchronization : TTLPass<"ttl-lower-synchronization"> {
  let summary = "Lower buffer operations, node queries and the threads' arguments";
}

def TTLVerifyLowered : TTLPass<"ttl-verify-lowered"> {
  let summary = "Check that only ops remain that the engines and the emitter know";
}

#endif // TTJIT_PASSES_TD
