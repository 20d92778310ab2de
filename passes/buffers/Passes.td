//===- Passes.td - passes of stage buffers ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_PASSES_TD
#define TTJIT_PASSES_BUFFERS_PASSES_TD

include "passes/common/PassBase.td"

def StrictOption : Option<"strict", "strict", "bool", /*default=*/"false",
    "Reject kernels that exceed the limits of the real chip, instead of warning">;

def TTLBufferize : TTLThreadPass<"ttl-bufferize"> {
  let summary = "Compute the distance of every block from the front of its buffer";
  let statistics = [
    Statistic<"numBlocks", "num-blocks", "Number of ops that acquire blocks">,
    Statistic<"numHeldTogether", "num-held-together", "Number of uses of blocks while older ones are held">,
    Statistic<"numCounted", "num-counted", "Number of buffers whose front is counted at run time">];
}

def TTLAllocateCircularBuffers : TTLPass<"ttl-allocate-circular-buffers"> {
  let summary = "Assign index, page size and L1 address to circular buffers";
  let options = [StrictOption,
                 Option<"check", "check", "bool", /*default=*/"true",
                        "Check the limits of the chip">,
                 Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"0",
                        "Buffers that a core may have; 0: as many as the chip has">,
                 Option<"maxL1", "max-l1", "int64_t", /*default=*/"0",
                        "Bytes of L1 that buffers may take; 0: as many as the chip has">];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Number of circular buffers">,
    Statistic<"numBytes", "num-bytes", "Bytes of L1 that the buffers take on each core">,
    Statistic<"numBytesShared", "num-bytes-shared", "Bytes that buffers save by sharing memory">];
}

def TTLAssignTransferIds : TTLThreadPass<"ttl-assign-transfer-ids"> {
  let summary = "Assign one of the 16 transaction ids to each transfer";
  let statistics = [
    Statistic<"numTagged", "num-tagged", "Number of copies with an id of their own">,
    Statistic<"numUntagged", "num-untagged", "Number of copies whose wait waits for all copies of the same direction">];
}

#endif // TTJIT_PASSES_BUFFERS_PASSES_TD
