//===- BufferResets.cpp - where threads may reset buffers ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: at a reset all threads of a node wait for each other. If they do not reach the same
// resets in the same order, the node waits for ever.
//
// 1. A reset must be at the top level of its thread, under conditions that do not depend on data,
//    or in one loop whose bounds are constants. So it is known how often each node reaches it.
// 2. Every thread of the kernel has every reset, with the same buffers.
// 3. List, for each thread, the resets that each node reaches, with all rounds of loops; these
//    lists must be equal. A list ends where conditions decide that NodeDomains cannot evaluate:
//    then the device compares.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/BufferResets.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/Describe.h"
#include "passes/common/NodeDomains.h"
#include "passes/common/Threads.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Places
//===--------------------------------------------------------------------------===//

static bool hasOnlyFaults(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op->getNumRegions())
    return isMemoryEffectFree(op);
  SmallVector<MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  return llvm::all_of(all, [](const MemoryEffects::EffectInstance &effect) {
    return isa<ttl::FaultResource>(effect.getResource());
  });
}

// Returns whether the value depends on nothing but constants, the node, tables of the nodes, and
// the numbers of loops with constant bounds.
static bool isKnown(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && loop.getStaticTripCount();
  }
  Operation *op = value.getDefiningOp();
  if (isa<ttl::CreateNodeTableOp, ttl::CreatePipeOp, ttl::CreatePipeNetOp>(op))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return isKnown(branch.getCondition()) && isKnown(branch.thenYield().getOperand(number)) &&
           isKnown(branch.elseYield().getOperand(number));
  }
  return hasOnlyFaults(op) && llvm::all_of(op->getOperands(), isKnown);
}

// Returns whether the value depends on what a loop carries: a variable that it changes.
static bool isCarried(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument != loop.getInductionVar();
  }
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() == 0 && llvm::any_of(op->getOperands(), isCarried);
}

static InFlightDiagnostic failAt(ttl::CBResetOp reset, const Twine &message, Operation *around,
                                 StringRef note) {
  InFlightDiagnostic diagnostic = reset.emitError();
  diagnostic << reset.getCall() << "() " << message;
  if (around)
    diagnostic.attachNote(around->getLoc()) << note;
  return diagnostic;
}

static constexpr StringLiteral kCount =
    "must execute a compile-time-known number of times on each launch node";

// Checks one loop, branch or callback around a reset. `loops` counts the loops so far.
static LogicalResult checkAround(ttl::CBResetOp reset, Operation *around, unsigned &loops) {
  if (auto branch = dyn_cast<scf::IfOp>(around)) {
    if (isKnown(branch.getCondition()))
      return success();
    if (branch->getParentOfType<scf::WhileOp>())
      return success(); // checkAround() of that loop reports it
    if (isCarried(branch.getCondition()))
      return failAt(reset,
                    kCount +
                        ", but a variable that the loop changes decides whether it runs: put it "
                        "under conditions on the node's coordinates, or under none",
                    branch, "the condition is here");
    return failAt(reset,
                  kCount + ", but a condition that depends on data decides whether it runs: put it "
                           "under conditions on the node's coordinates, or under none",
                  branch, "the condition is here");
  }
  if (auto loop = dyn_cast<scf::ForOp>(around)) {
    if (!loop.getStaticTripCount())
      return failAt(reset,
                    kCount + ", but the bounds of the loop around it are known only at run time: "
                             "move it out of the loop, or make the bounds constants",
                    loop, "the loop is here");
    if (++loops < 2)
      return success();
    return failAt(reset, "may be in one loop, not in nested loops: move it out of the inner loop",
                  loop, "the outer loop is here");
  }
  if (isa<scf::WhileOp>(around))
    return failAt(
        reset,
        kCount + ", but a condition or a break ends the loop around it: move it out of the loop",
        around, "the loop is here");
  return failAt(reset,
                "cannot be in a callback of pipes, which runs once per pipe: move it behind "
                "the callback",
                around, "the callback is here");
}

LogicalResult ttjit::checkResetPlaces(Operation *thread) {
  WalkResult result = thread->walk([&](ttl::CBResetOp reset) -> WalkResult {
    unsigned loops = 0;
    for (Operation *op = reset->getParentOp(); op != thread; op = op->getParentOp())
      if (failed(checkAround(reset, op, loops)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===--------------------------------------------------------------------------===//
// Agreement of threads
//===--------------------------------------------------------------------------===//

namespace {

// The resets that a thread reaches on one node, in order.
struct Trace {
  SmallVector<ttl::CBResetOp> resets;
  bool isComplete = true; // whether all later resets are known, too
};

class Agreement {
public:
  explicit Agreement(ttl::KernelOp kernel) : kernel(kernel), domains(kernel) {}

  LogicalResult verify(bool portable);

private:
  LogicalResult checkThreads(ttl::CBResetOp first);
  LogicalResult checkBuffers(ttl::CBResetOp first, ttl::CBResetOp other);
  LogicalResult compare(int64_t node, Operation *a, const Trace &traceA, Operation *b,
                        const Trace &traceB);
  Trace traceOf(Operation *thread, int64_t node);
  void follow(Block &block, int64_t node, Trace &trace);

  ttl::KernelOp kernel;
  NodeDomains domains;
  SmallVector<Operation *> threads;
  // The first reset of each number in each thread.
  llvm::MapVector<uint32_t, llvm::MapVector<Operation *, ttl::CBResetOp>> resets;
};

std::string nameOf(Operation *thread) {
  return thread->getAttrOfType<StringAttr>("name").str() + "()";
}

// Traces that are longer end there: what differs later is left to the device.
constexpr size_t kMaxTrace = 4096;

} // namespace

LogicalResult Agreement::checkBuffers(ttl::CBResetOp first, ttl::CBResetOp other) {
  if (first.getBuffers() == other.getBuffers())
    return success();
  DenseSet<Value> buffers(first.getBuffers().begin(), first.getBuffers().end());
  bool isSame = buffers.size() == other.getBuffers().size() &&
                llvm::all_of(other.getBuffers(), [&](Value b) { return buffers.contains(b); });
  if (isSame)
    return success();
  InFlightDiagnostic diagnostic = other.emitError();
  diagnostic << other.getCall()
             << "() names other buffers here than in another thread: all threads must name the "
                "same buffers at a reset";
  diagnostic.attachNote(first.getLoc()) << "the other thread resets here";
  return diagnostic;
}

// Checks that all threads have the reset.
LogicalResult Agreement::checkThreads(ttl::CBResetOp first) {
  auto &byThread = resets[first.getReset()];
  for (Operation *thread : threads) {
    auto *found = byThread.find(thread);
    if (found != byThread.end()) {
      if (failed(checkBuffers(first, found->second)))
        return failure();
      continue;
    }
    InFlightDiagnostic diagnostic = first.emitError();
    diagnostic << first.getCall() << "() is never called by " << nameOf(thread)
               << ": all threads of a node meet at a reset, so each of them must call it";
    diagnostic.attachNote(thread->getLoc()) << nameOf(thread) << " is here";
    return diagnostic;
  }
  return success();
}

void Agreement::follow(Block &block, int64_t node, Trace &trace) {
  for (Operation &op : block) {
    if (trace.resets.size() > kMaxTrace)
      trace.isComplete = false;
    if (!trace.isComplete)
      return;
    if (auto reset = dyn_cast<ttl::CBResetOp>(op)) {
      NodeDomains::Runs runs = domains.at(node, reset);
      trace.isComplete = runs != NodeDomains::Runs::Perhaps;
      if (runs == NodeDomains::Runs::Always)
        trace.resets.push_back(reset);
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(op);
    uint64_t rounds =
        loop && loop.getStaticTripCount() ? loop.getStaticTripCount()->getZExtValue() : 1;
    for (Region &region : op.getRegions())
      for (uint64_t i = 0, before = trace.resets.size(); i < rounds && trace.isComplete; ++i) {
        for (Block &inner : region)
          follow(inner, node, trace);
        if (trace.resets.size() == before || trace.resets.size() > kMaxTrace)
          break; // no reset in it, or enough of them
      }
  }
}

Trace Agreement::traceOf(Operation *thread, int64_t node) {
  Trace trace;
  follow(thread->getRegion(0).front(), node, trace);
  return trace;
}

LogicalResult Agreement::compare(int64_t node, Operation *a, const Trace &traceA, Operation *b,
                                 const Trace &traceB) {
  size_t common = std::min(traceA.resets.size(), traceB.resets.size());
  for (size_t i = 0; i < common; ++i) {
    ttl::CBResetOp here = traceA.resets[i], there = traceB.resets[i];
    if (here.getReset() == there.getReset()) {
      if (failed(checkBuffers(here, there)))
        return failure();
      continue;
    }
    InFlightDiagnostic diagnostic = here.emitError();
    diagnostic << here.getCall() << "() is reset " << i + 1 << " of " << nameOf(a) << " on node "
               << domains.nameOf(node) << ", but " << nameOf(b)
               << " reaches another one there: all threads must reach the same resets in the same "
                  "order";
    diagnostic.attachNote(there.getLoc()) << nameOf(b) << " reaches this one";
    return diagnostic;
  }
  if (traceA.resets.size() == traceB.resets.size() || !traceA.isComplete || !traceB.isComplete)
    return success();
  bool aHasMore = traceA.resets.size() > common;
  const Trace &longer = aHasMore ? traceA : traceB;
  ttl::CBResetOp more = longer.resets[common];
  InFlightDiagnostic diagnostic = more.emitError();
  diagnostic << more.getCall() << "(): on node " << domains.nameOf(node) << " "
             << nameOf(aHasMore ? a : b) << " reaches " << longer.resets.size()
             << (longer.resets.size() == 1 ? " reset" : " resets") << ", but "
             << nameOf(aHasMore ? b : a) << " only " << common
             << ": all threads of a node must reach a reset equally often";
  return diagnostic;
}

static LogicalResult checkChip(ttl::KernelOp kernel, ttl::CBResetOp reset) {
  StringRef arch = kernel.getArch().value_or(hw::kDefaultArch);
  if (arch.starts_with("blackhole"))
    return success();
  return reset.emitError() << reset.getCall() << "(): tt-lang has resets on Blackhole only, and "
                           << "this kernel is for " << arch
                           << ": choose --arch blackhole, or leave --strict out";
}

LogicalResult Agreement::verify(bool portable) {
  for (Operation &op : kernel.getBody().front()) {
    if (!ttl::isThread(&op))
      continue;
    threads.push_back(&op);
    if (failed(checkResetPlaces(&op)))
      return failure();
    op.walk([&](ttl::CBResetOp reset) { resets[reset.getReset()].insert({&op, reset}); });
  }
  if (resets.empty())
    return success();
  for (auto &[number, byThread] : resets)
    if (failed(checkThreads(byThread.front().second)))
      return failure();
  for (int64_t node = 0; node < domains.numNodes(); ++node) {
    Trace first = traceOf(threads[0], node);
    for (Operation *thread : ArrayRef(threads).drop_front())
      if (failed(compare(node, threads[0], first, thread, traceOf(thread, node))))
        return failure();
  }
  return portable ? checkChip(kernel, resets.front().second.front().second) : success();
}

LogicalResult ttjit::verifyResets(ttl::KernelOp kernel, bool portable) {
  return Agreement(kernel).verify(portable);
}

ttl::CBResetOp ttjit::lastResetBefore(Operation *op, Value buffer) {
  Operation *thread = op;
  while (thread && !ttl::isThread(thread))
    thread = thread->getParentOp();
  ttl::CBResetOp last;
  if (thread)
    thread->walk<WalkOrder::PreOrder>([&](Operation *other) {
      if (other == op)
        return WalkResult::interrupt();
      auto reset = dyn_cast<ttl::CBResetOp>(other);
      if (reset && llvm::is_contained(reset.getBuffers(), buffer))
        last = reset;
      return WalkResult::advance();
    });
  return last;
}
