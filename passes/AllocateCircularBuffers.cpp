//===- AllocateCircularBuffers.cpp - ttl-allocate-circular-buffers --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a circular buffer is a range of each core's L1 behind one of the
// hardware's buffer numbers.
//
// 1. Drop buffers that no thread acquires.
// 2. Give the others the lowest free index and a page size; explicit ones stay.
// 3. Find which buffers are certainly never in use together
//    (Support/BufferLiveness.h) and give each the lowest address at which it
//    overlaps only such ones: in the user's order or, if that takes less, the
//    largest first. Explicit addresses stay.
// 4. Compare with what the chip has.
//
// Rejects: more than 64 buffers, an index used twice, an explicit address that is
// not aligned, is reserved, or overlaps a buffer in use at the same time. With
// `strict`, otherwise as a warning (the emulated device then has a larger core):
// more buffers than the chip has, more bytes than its L1 has left. The diagnostic
// lists the buffers by size and says what to shrink.
//===--------------------------------------------------------------------------===//

#include "passes/Support/BufferLayout.h"
#include "passes/Support/BufferLimits.h"
#include "passes/Support/L1Ranges.h"
#include "passes/Support/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLALLOCATECIRCULARBUFFERS
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// Threads are bound only to the resources they use.
void dropUnusedBuffers(ttl::ProgramOp program) {
  for (ttl::CreateCBOp buffer : getBuffers(program))
    if (buffer->use_empty())
      buffer.erase();
}

struct AllocateCircularBuffers
    : ttjit::impl::TTLAllocateCircularBuffersBase<AllocateCircularBuffers> {
  using TTLAllocateCircularBuffersBase::TTLAllocateCircularBuffersBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<ttl::ProgramOp>()) {
      dropUnusedBuffers(program);
      layOutBuffers(program);
      int64_t buffers = archOf(program).l1UnreservedBase + usedL1(program);
      int64_t end = layOutRanges(program, buffers);
      if (failed(checkPlaces(program)) || failed(checkBufferLimits(program, strict)) ||
          failed(checkRanges(program, end, strict)))
        return signalPassFailure();
      numBuffers += getBuffers(program).size();
      numBytes += usedL1(program);
      if (int64_t shared = bytesOfBuffers(program) - usedL1(program); shared > 0)
        numBytesShared += shared;
    }
  }
};

} // namespace
