//===- Microcores.cpp - ttl-microcores-to-threads and back --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the threads of a kernel have two spellings. Passes and engines know only compute and
// data movement threads, of which some have a hint (`microcore_hint`). Threads of a ttl.tile_proc
// name their processors.
//
// ttl-microcores-to-threads:
// 1. Each thread becomes a compute or data movement thread, in its order.
// 2. A thread that would run on another processor than it names gets a hint.
// 3. The kernel keeps the list of declared processors, unless it has all of the chip.
//
// ttl-threads-to-microcores does the reverse. A thread keeps its hint if the first pass would not
// give the same hints again, so that each pass undoes the other.
//
// Rejects: unified threads, whose processors are not known.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Microcores.h"

#include "passes/ttl/Passes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLMICROCORESTOTHREADS
#define GEN_PASS_DEF_TTLTHREADSTOMICROCORES
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Gives `to`, a thread of the other spelling, what both spellings have.
static void moveContents(Operation *from, Operation *to) {
  to->getRegion(0).takeBody(from->getRegion(0));
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
}

//===--------------------------------------------------------------------------===//
// ttl-microcores-to-threads
//===--------------------------------------------------------------------------===//

static Operation *createThread(OpBuilder &builder, ttl::MicrocoreThreadOp thread) {
  Location loc = thread.getLoc();
  StringAttr name = thread.getNameAttr(), hint = thread.getMicrocoreHintAttr();
  if (thread.getProcessor() == ttl::Processor::Compute)
    return ttl::ComputeThreadOp::create(builder, loc, name, hint);
  return ttl::DataMovementThreadOp::create(builder, loc, name, hint);
}

static unsigned replace(ttl::TileProcOp group) {
  auto kernel = cast<ttl::KernelOp>(group->getParentOp());
  OpBuilder builder(group);
  SmallVector<std::pair<Operation *, ttl::Processor>> threads;
  for (auto thread : group.getThreads().getOps<ttl::MicrocoreThreadOp>()) {
    threads.push_back({createThread(builder, thread), thread.getProcessor()});
    moveContents(thread, threads.back().first);
  }
  for (auto [thread, processor] : threads)
    if (ttl::processorOf(thread) != processor)
      thread->setAttr(ttl::kMicrocoreHintAttr, builder.getStringAttr(ttl::hintOf(processor)));
  if (group.getMicrocores() != ttl::MicrocoreConfigAttr::getAll(kernel.getContext()))
    kernel.setMicrocoresAttr(group.getMicrocores());
  group.erase();
  return threads.size();
}

unsigned ttjit::microcoresToThreads(ModuleOp module) {
  SmallVector<ttl::TileProcOp> groups;
  module.walk([&](ttl::TileProcOp group) { groups.push_back(group); });
  unsigned made = 0;
  for (ttl::TileProcOp group : groups)
    made += replace(group);
  return made;
}

//===--------------------------------------------------------------------------===//
// ttl-threads-to-microcores
//===--------------------------------------------------------------------------===//

// Returns whether ttl-microcores-to-threads gives the thread a hint: without one, the first data
// movement thread runs on RISCV_1.
static bool needsHint(Operation *thread) {
  auto movers = thread->getBlock()->getOps<ttl::DataMovementThreadOp>();
  return !movers.empty() && *movers.begin() == thread &&
         ttl::processorOf(thread) == ttl::Processor::RISCV_0;
}

static ttl::TileProcOp createGroup(ttl::KernelOp kernel, Operation *lastThread) {
  OpBuilder builder(lastThread);
  ttl::MicrocoreConfigAttr config = kernel.getMicrocoresAttr();
  if (!config)
    config = ttl::MicrocoreConfigAttr::getAll(kernel.getContext());
  kernel.removeMicrocoresAttr();
  auto group = ttl::TileProcOp::create(builder, kernel.getLoc(), config);
  group.getThreads().emplaceBlock();
  return group;
}

static FailureOr<unsigned> replace(ttl::KernelOp kernel) {
  SmallVector<Operation *> threads;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<ttl::UnifiedThreadOp>(op))
      return op.emitOpError("has no processor of its own: run ttl-split-unified-threads first");
    if (isa<ttl::ComputeThreadOp, ttl::DataMovementThreadOp>(op))
      threads.push_back(&op);
  }
  if (threads.empty())
    return 0u;
  bool keepHints = llvm::any_of(threads, [](Operation *thread) {
    return thread->hasAttr(ttl::kMicrocoreHintAttr) != needsHint(thread);
  });
  ttl::TileProcOp group = createGroup(kernel, threads.back());
  OpBuilder builder = OpBuilder::atBlockBegin(&group.getThreads().front());
  for (Operation *thread : threads) {
    auto hint = thread->getAttrOfType<StringAttr>(ttl::kMicrocoreHintAttr);
    auto made = ttl::MicrocoreThreadOp::create(
        builder, thread->getLoc(), ttl::getRole(thread->getContext(), ttl::processorOf(thread)),
        thread->getAttrOfType<StringAttr>("name"), keepHints ? hint : StringAttr());
    moveContents(thread, made);
  }
  for (Operation *thread : threads)
    thread->erase();
  return threads.size();
}

namespace {

struct MicrocoresToThreads : ttjit::impl::TTLMicrocoresToThreadsBase<MicrocoresToThreads> {
  void runOnOperation() override { numThreads += microcoresToThreads(getOperation()); }
};

struct ThreadsToMicrocores : ttjit::impl::TTLThreadsToMicrocoresBase<ThreadsToMicrocores> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      FailureOr<unsigned> replaced = replace(kernel);
      if (failed(replaced))
        return signalPassFailure();
      numThreads += *replaced;
    }
  }
};

} // namespace
