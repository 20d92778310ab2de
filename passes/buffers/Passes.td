//===- Passes.td - passes of stage buffers -----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_PASSES_TD
#define TTJIT_PASSES_BUFFERS_PASSES_TD

include "passes/common/PassBase.td"

def StrictOption : Option<"strict", "strict", "bool", /*default=*/"false",
    "Refuse what the real chip lacks; otherwise warn and go on">;

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
                        "Compare with what the chip has">,
                 Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"0",
                        "Buffers that a core may have; 0: as many as the chip has">,
                 Option<"maxL1", "max-l1", "int64_t", /*default=*/"0",
                        "Bytes of L1 that buffers may take; 0: as many as the chip has">];
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

#endif // TTJIT_PASSES_BUFFERS_PASSES_TD
