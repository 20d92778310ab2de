//===- L1Ranges.cpp - places landing slots and counters -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/L1Ranges.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the number of words that the program uses of its page of counters.
static int64_t countPageWords(ttl::ProgramOp program) {
  int64_t words = 0;
  program.walk([&](Operation *op) {
    if (auto semaphore = dyn_cast<ttl::CreateSemaphoreOp>(op))
      if (std::optional<uint32_t> word = semaphore.getPageIndex())
        words = std::max<int64_t>(words, *word + 1);
    if (auto counters = dyn_cast<ttl::CreateCountersOp>(op))
      if (std::optional<uint32_t> word = counters.getPageIndex())
        words = std::max<int64_t>(words, *word + counters.getResult().getType().getCount());
  });
  return words;
}

int64_t ttjit::layOutRanges(ttl::ProgramOp program, int64_t end) {
  hw::ArchDesc arch = archOf(program);
  int64_t alignment = std::max(arch.l1Alignment, arch.dramAlignment);
  end = llvm::alignTo(end, alignment);
  for (auto landing : program.getBody().getOps<ttl::CreateLandingOp>()) {
    if (landing.getAddress()) {
      end = std::max<int64_t>(end, *landing.getAddress() +
                                       landing.getResult().getType().getTotalBytes());
      continue;
    }
    landing.setAddress(end);
    end = llvm::alignTo(end + landing.getResult().getType().getTotalBytes(), alignment);
  }
  int64_t words = countPageWords(program);
  if (words == 0)
    return end;
  // Each counter has its own NoC line, so that writes from different nodes do not
  // overlap.
  program.walk([&](Operation *op) {
    if (auto semaphore = dyn_cast<ttl::CreateSemaphoreOp>(op);
        semaphore && semaphore.getPageIndex())
      semaphore.setAddress(end + int64_t(*semaphore.getPageIndex()) * arch.l1Alignment);
    if (auto counters = dyn_cast<ttl::CreateCountersOp>(op); counters && counters.getPageIndex())
      counters.setAddress(end + int64_t(*counters.getPageIndex()) * arch.l1Alignment);
  });
  return end + words * arch.l1Alignment;
}

LogicalResult ttjit::checkRanges(ttl::ProgramOp program, int64_t end, bool strict) {
  hw::ArchDesc arch = archOf(program);
  auto landings = llvm::to_vector(program.getBody().getOps<ttl::CreateLandingOp>());
  if (end <= arch.l1Bytes || landings.empty())
    return success();
  InFlightDiagnostic diagnostic =
      strict ? program.emitError() : emitWarning(WarningKind::Limit, program);
  diagnostic << "blocks that land over pipes do not fit: buffers, landing slots and counters take "
             << end - arch.l1UnreservedBase << " bytes of L1, but " << arch.name << " has only "
             << arch.l1Available()
             << (strict ? "" : "; the kernel runs as if L1 were large enough");
  for (ttl::CreateLandingOp landing : landings)
    diagnostic.attachNote(landing.getLoc())
        << "'" << landing.getName() << "' has " << landing.getResult().getType().getSlots()
        << " landing slots of " << landing.getResult().getType().getSlotBytes()
        << " bytes: send smaller blocks, or let fewer pipes end at one node";
  return failure(strict);
}
