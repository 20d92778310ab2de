//===- SplitUnifiedThreads.cpp - ttl-split-unified-threads --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a unified thread describes the work of all threads of a node in one body.
//
// 1. Find the thread of each op that must run exactly once (ThreadAssignment.h): block
//    arithmetic and its blocks belong to the compute thread. Copies, and the blocks that
//    they fill, belong to the first data movement thread. Blocks that are only copied
//    elsewhere, and their copies, belong to the second one.
//    A reset of buffers belongs to every thread.
// 2. Copy the ops of each thread, with the loops and branches around them and the values
//    that these need, into a thread of its own (ThreadSlice.h). Drop ops that no thread
//    needs. A body that only asserts what is known at compile time gets a compute thread without
//    any op.
// 3. Bind the data movement threads to processors, if the program says where the first one runs.
//
// Rejects: blocks that both a compute and a data movement thread use; values, conditions
// among them, that one thread computes and another one needs; a body without any work; a processor
// that moves no data.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/SplitUnifiedThreads.h"

#include "ir/TTL/DiscardableAttrs.h"
#include "passes/ttl/BufferResets.h"
#include "passes/ttl/Passes.h"
#include "passes/ttl/ThreadSlice.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLSPLITUNIFIEDTHREADS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

template <typename OpT>
static Block *createThread(OpBuilder &builder, Location loc, StringRef name) {
  OperationState state(loc, OpT::getOperationName());
  state.getOrAddProperties<typename OpT::Properties>().name = builder.getStringAttr(name);
  state.addRegion()->emplaceBlock();
  state.addAttribute(ttl::kFromUnifiedAttr, builder.getUnitAttr());
  return &builder.create(state)->getRegion(0).front();
}

static Block *createThread(OpBuilder &builder, Location loc, ThreadRole role) {
  switch (role) {
  case ThreadRole::Reader:
    return createThread<ttl::DataMovementThreadOp>(builder, loc, "reader");
  case ThreadRole::Compute:
    return createThread<ttl::ComputeThreadOp>(builder, loc, "compute");
  case ThreadRole::Writer:
    return createThread<ttl::DataMovementThreadOp>(builder, loc, "writer");
  }
  llvm_unreachable("all roles are above");
}

// Checks where the program wants the thread that fills blocks.
static LogicalResult checkReaderHint(ttl::UnifiedThreadOp thread) {
  Attribute hint = thread->getAttr(ttl::kReaderHintAttr);
  auto name = dyn_cast_or_null<StringAttr>(hint);
  std::optional<ttl::Processor> place = name ? ttl::processorOfHint(name) : std::nullopt;
  if (!hint || (place && *place != ttl::Processor::Compute))
    return success();
  return thread.emitOpError("binds the thread that fills blocks to ")
         << hint << ": expected \"NOC0\" or \"NOC1\"";
}

// Binds a thread to the processor that the program wants for it.
static void bindToProcessor(Operation *made, ThreadRole role, ttl::UnifiedThreadOp thread) {
  auto hint = thread->getAttrOfType<StringAttr>(ttl::kReaderHintAttr);
  if (!hint || role == ThreadRole::Compute)
    return;
  ttl::Processor place = *ttl::processorOfHint(hint);
  if (role == ThreadRole::Writer)
    place = place == ttl::Processor::RISCV_0 ? ttl::Processor::RISCV_1 : ttl::Processor::RISCV_0;
  made->setAttr(ttl::kMicrocoreHintAttr, StringAttr::get(made->getContext(), ttl::hintOf(place)));
}

static FailureOr<unsigned> split(ttl::UnifiedThreadOp thread) {
  if (failed(checkResetPlaces(thread)) || failed(checkReaderHint(thread)))
    return failure();
  ThreadAssignment assignment(thread);
  if (failed(assignment.run()))
    return failure();
  OpBuilder builder(thread);
  unsigned made = 0;
  for (ThreadRole role : {ThreadRole::Reader, ThreadRole::Compute, ThreadRole::Writer}) {
    ThreadSlice slice(thread, role, assignment);
    if (failed(slice.run()))
      return failure();
    if (slice.empty())
      continue;
    Block *body = createThread(builder, thread.getLoc(), role);
    bindToProcessor(body->getParentOp(), role, thread);
    slice.copyInto(body);
    ++made;
  }
  if (made == 0 && thread->hasAttr(ttl::kStaticAssertsAttr)) {
    createThread(builder, thread.getLoc(), ThreadRole::Compute);
    ++made;
  }
  if (made == 0)
    return thread.emitError() << "operation " << thread.getName()
                              << "() does nothing: its body moves no data and computes no blocks, "
                                 "and it defines no kernel functions";
  thread.erase();
  return made;
}

FailureOr<unsigned> ttjit::splitUnifiedThreads(ModuleOp module) {
  SmallVector<ttl::UnifiedThreadOp> threads;
  module.walk([&](ttl::UnifiedThreadOp thread) { threads.push_back(thread); });
  unsigned made = 0;
  for (ttl::UnifiedThreadOp thread : threads) {
    FailureOr<unsigned> parts = split(thread);
    if (failed(parts))
      return failure();
    made += *parts;
  }
  return made;
}

namespace {

struct SplitUnifiedThreads : ttjit::impl::TTLSplitUnifiedThreadsBase<SplitUnifiedThreads> {
  void runOnOperation() override {
    FailureOr<unsigned> made = splitUnifiedThreads(getOperation());
    if (failed(made))
      return signalPassFailure();
    numThreads += *made;
  }
};

} // namespace
