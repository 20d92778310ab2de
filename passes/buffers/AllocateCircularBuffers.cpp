//===- AllocateCircularBuffers.cpp - ttl-allocate-circular-buffers ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a circular buffer is a range of each core's L1 behind one of the
// hardware's buffer numbers.
//
// 1. Drop buffers that no thread acquires.
// 2. Give the others the lowest free index and a page size; explicit ones stay.
//    Buffers that tensors back take no memory of their own and get no address.
// 3. Find which buffers are never in use together (BufferLiveness.h) and give each
//    buffer the lowest address at which it overlaps only such buffers: in the user's
//    order, or the largest first if that needs less memory. Explicit addresses stay.
// 4. Place the landing slots and counters of pipes behind the buffers (L1Ranges.h).
//
// Splitting computes adds buffers, and accumulators that move to DST remove buffers. Therefore the
// pass runs once before these passes and once after them. The first run, without `check`, compares
// nothing with the chip's limits. It notes which places the input gave, so that the second run
// chooses all others anew.
//
// Rejects: more than 64 buffers, an index used twice, an explicit address that is not
// aligned, is reserved, or overlaps a buffer in use at the same time; a buffer that
// every node acquires although some do not have it (core_ranges). With `strict`,
// otherwise as a warning (the emulated device then has a larger core): more buffers
// than the chip has, more bytes than its L1 has left, more run-time arguments than a
// kernel has. The diagnostic lists the buffers by size, or the tables, and says what to
// shrink.
//===--------------------------------------------------------------------------===//

#include "passes/buffers/Passes.h"

#include "passes/buffers/ArgumentLimits.h"
#include "passes/buffers/BufferLayout.h"
#include "passes/buffers/BufferLimits.h"
#include "passes/buffers/CoreRanges.h"
#include "passes/buffers/L1Ranges.h"
#include "passes/common/StageChecks.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLALLOCATECIRCULARBUFFERS
#include "passes/buffers/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// Takes from threads the buffers that they do not use, and erases the buffers of no thread.
void dropUnusedBuffers(ttl::ProgramOp program) {
  for (ttl::CreateCBOp buffer : getBuffers(program))
    if (buffer->use_empty())
      buffer.erase();
}

// An attribute of a program. It means that the next run of this pass chooses every place
// anew, except the places that kGivenAttr lists.
constexpr StringLiteral kProvisionalAttr = "ttl.provisional_places";
// An attribute of an op that has a place: the place attributes that it had before the first
// run of this pass.
constexpr StringLiteral kGivenAttr = "ttl.given";
constexpr StringLiteral kPlaceAttrs[] = {"address", "buffer_index"};

void noteGiven(ttl::ProgramOp program) {
  program->setAttr(kProvisionalAttr, UnitAttr::get(program.getContext()));
  for (Operation &op : program.getBody().front()) {
    SmallVector<StringRef> given;
    if (isa<ttl::CreateCBOp, ttl::CreateLandingOp>(op))
      llvm::copy_if(kPlaceAttrs, std::back_inserter(given),
                    [&](StringRef name) { return op.hasAttr(name); });
    if (!given.empty())
      op.setAttr(kGivenAttr, Builder(op.getContext()).getStrArrayAttr(given));
  }
}

void forgetChosen(ttl::ProgramOp program) {
  if (!program->removeAttr(kProvisionalAttr))
    return;
  for (Operation &op : program.getBody().front()) {
    if (!isa<ttl::CreateCBOp, ttl::CreateLandingOp>(op))
      continue;
    auto given = dyn_cast_or_null<ArrayAttr>(op.removeAttr(kGivenAttr));
    for (StringRef name : kPlaceAttrs)
      if (!given || !llvm::is_contained(given, StringAttr::get(op.getContext(), name)))
        op.removeAttr(name);
  }
}

struct AllocateCircularBuffers
    : ttjit::impl::TTLAllocateCircularBuffersBase<AllocateCircularBuffers> {
  using TTLAllocateCircularBuffersBase::TTLAllocateCircularBuffersBase;

  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (failed(requireAcquires(binding.function)))
        return signalPassFailure();
    for (auto program : getOperation().getOps<ttl::ProgramOp>())
      if (failed(allocate(program)))
        return signalPassFailure();
  }

  LogicalResult allocate(ttl::ProgramOp program);
};

LogicalResult AllocateCircularBuffers::allocate(ttl::ProgramOp program) {
  dropUnusedBuffers(program);
  forgetChosen(program);
  if (!check)
    noteGiven(program);
  layOutBuffers(program);
  int64_t end = layOutRanges(program, archOf(program).l1UnreservedBase + usedL1(program));
  if (failed(checkPlaces(program)))
    return failure();
  if (!check)
    return success();
  numBuffers += getBuffers(program).size();
  numBytes += usedL1(program);
  if (int64_t shared = bytesOfBuffers(program) - usedL1(program); shared > 0)
    numBytesShared += shared;
  if (failed(checkCoreRanges(program)))
    return failure();
  LogicalResult buffers = checkBufferLimits(program, {strict, maxBuffers, maxL1});
  LogicalResult ranges = checkRanges(program, end, strict);
  return success(succeeded(buffers) && succeeded(ranges) &&
                 succeeded(checkArgumentLimits(program, strict)));
}

} // namespace
