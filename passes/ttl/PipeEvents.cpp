//===- PipeEvents.cpp - what each node does with its pipes --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/PipeEvents.h"

#include "passes/common/Copies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

using Count = std::optional<int64_t>;
using Counts = DenseMap<Value, Count>; // reserved blocks of each buffer

Count product(Count a, Count b) { return a && b ? Count(*a * *b) : std::nullopt; }

// Walks one thread as one node executes it.
class ThreadWalk {
public:
  ThreadWalk(Operation *thread, int64_t node, NodeDomains &domains, size_t limit,
             SmallVectorImpl<PipeEvent> &events)
      : thread(thread), node(node), domains(domains), limit(limit), events(events) {}

  void run() { visit(thread->getRegion(0)); }

private:
  void visit(Region &region);
  void visit(Operation *op);
  void visit(ttl::CopyOp copy);
  void visit(ttl::WaitOp wait);
  void visit(ttl::CBReserveOp reserve);
  void visitCallback(Operation *callback);
  void visitIf(scf::IfOp branch);
  void visitLoop(scf::ForOp loop);
  void visitOther(Operation *op);
  PipeEvent &add(PipeEvent::Kind kind, Operation *op, ttl::CopyOp copy, int64_t number);
  std::optional<int64_t> numberHere(ttl::CopyOp copy);
  void repeat(const Counts &before, size_t firstEvent, Count trips);
  void forget(const Counts &before);

  Operation *thread;
  int64_t node;
  NodeDomains &domains;
  size_t limit;
  SmallVectorImpl<PipeEvent> &events;

  Count times = 1;                         // how often the node executes this place
  SmallVector<unsigned> last;              // the events that it may have executed just before
  DenseMap<Operation *, int64_t> pipes;    // the pipe of each callback around this place
  DenseMap<Operation *, int64_t> inFlight; // the receives that no wait has completed
  Counts reserved;
  DenseMap<Operation *, Count> slots; // the slot of the block that a reserve made
};

// Returns the net, or the pipe alone if its net was erased.
Value netOrPipe(ttl::CopyOp copy) {
  ttl::CreatePipeNetOp net = netOf(copy);
  return net ? net.getResult() : pipeOf(copy);
}

// Returns the number of the copy's pipe in its net if this node is the end that the copy needs.
std::optional<int64_t> ThreadWalk::numberHere(ttl::CopyOp copy) {
  if (Operation *callback = callbackOf(pipeOf(copy)))
    return pipes.lookup(callback);
  std::optional<int64_t> number = pipeNumber(copy);
  if (!number)
    return std::nullopt;
  const Pipe &pipe = domains.netOf(netOrPipe(copy)).pipes[*number];
  bool isEnd = copy.isSend() ? pipe.src == node : llvm::is_contained(pipe.dst, node);
  return isEnd ? number : std::nullopt;
}

PipeEvent &ThreadWalk::add(PipeEvent::Kind kind, Operation *op, ttl::CopyOp copy, int64_t number) {
  PipeEvent event{kind, op, copy, thread, node, {netOrPipe(copy), number}, times, last, {}, {}, {}};
  last = {static_cast<unsigned>(events.size())};
  return events.emplace_back(std::move(event));
}

void ThreadWalk::visit(ttl::CopyOp copy) {
  std::optional<int64_t> number = pipeOf(copy) ? numberHere(copy) : std::nullopt;
  if (!number)
    return;
  if (copy.isSend()) {
    add(PipeEvent::Kind::Send, copy, copy, *number);
    return;
  }
  PipeEvent &event = add(PipeEvent::Kind::Post, copy, copy, *number);
  inFlight[copy] = *number;
  if (auto reserve = copy.getDst().getDefiningOp<ttl::CBReserveOp>()) {
    event.buffer = reserve.getCb();
    event.slot = slots.lookup(reserve);
  }
}

void ThreadWalk::visit(ttl::WaitOp wait) {
  auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
  auto started = copy ? inFlight.find(copy) : inFlight.end();
  if (started == inFlight.end())
    return;
  add(PipeEvent::Kind::Wait, wait, copy, started->second);
  inFlight.erase(started);
}

void ThreadWalk::visit(ttl::CBReserveOp reserve) {
  Count &count = reserved.try_emplace(reserve.getCb(), Count(0)).first->second;
  slots[reserve] = count ? Count(*count % reserve.getCb().getType().getBufferFactor()) : count;
  if (count)
    ++*count;
}

//===--------------------------------------------------------------------------===//
// Regions
//===--------------------------------------------------------------------------===//

// Called after the first iteration of a loop. Counts the blocks that the later ones reserve.
void ThreadWalk::repeat(const Counts &before, size_t firstEvent, Count trips) {
  for (auto &[buffer, count] : reserved) {
    auto found = before.find(buffer);
    Count old = found == before.end() ? Count(0) : found->second;
    Count step = count && old ? Count(*count - *old) : std::nullopt;
    for (PipeEvent &event : MutableArrayRef(events.begin(), events.end()).drop_front(firstEvent))
      if (event.buffer == buffer)
        event.steps.push_back(step);
    Count more = product(step, trips);
    count = more && old ? Count(*old + *more) : step == 0 ? count : std::nullopt;
  }
}

// Forgets counts that have changed since `before`, because the node may have skipped these ops.
void ThreadWalk::forget(const Counts &before) {
  for (auto &[buffer, count] : reserved) {
    auto found = before.find(buffer);
    if (count != (found == before.end() ? Count(0) : found->second))
      count = std::nullopt;
  }
}

void ThreadWalk::visitCallback(Operation *callback) {
  const PipeNet &net = domains.netOf(callback->getOperand(0));
  for (int64_t number : isa<ttl::IfPipeSrcOp>(callback) ? net.pipesFrom(node) : net.pipesTo(node)) {
    pipes[callback] = number;
    visit(callback->getRegion(0));
  }
}

void ThreadWalk::visitLoop(scf::ForOp loop) {
  Count trips = domains.tripCount(node, loop), outer = times;
  if (trips == 0)
    return;
  Counts before = reserved;
  size_t first = events.size();
  times = product(times, trips);
  visit(loop.getRegion());
  times = outer;
  repeat(before, first, trips);
}

void ThreadWalk::visitIf(scf::IfOp branch) {
  NodeDomains::Runs runs = domains.in(node, &branch.getThenRegion());
  if (runs != NodeDomains::Runs::Perhaps)
    return visit(runs == NodeDomains::Runs::Always ? branch.getThenRegion()
                                                   : branch.getElseRegion());
  Count outer = std::exchange(times, std::nullopt);
  Counts before = reserved;
  SmallVector<unsigned> start = last;
  visit(branch.getThenRegion());
  SmallVector<unsigned> end = std::exchange(last, start);
  visit(branch.getElseRegion());
  for (unsigned event : end)
    if (!llvm::is_contained(last, event))
      last.push_back(event);
  times = outer;
  forget(before);
}

// Visits a loop of which nothing is known.
void ThreadWalk::visitOther(Operation *op) {
  Count outer = std::exchange(times, std::nullopt);
  Counts before = reserved;
  for (Region &region : op->getRegions())
    visit(region);
  times = outer;
  forget(before);
}

void ThreadWalk::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<ttl::CopyOp, ttl::WaitOp, ttl::CBReserveOp>([&](auto op) { visit(op); })
      .Case<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>([&](Operation *op) { visitCallback(op); })
      .Case([&](scf::ForOp op) { visitLoop(op); })
      .Case([&](scf::IfOp op) { visitIf(op); })
      .Default([&](Operation *op) {
        if (op->getNumRegions())
          visitOther(op);
      });
}

void ThreadWalk::visit(Region &region) {
  for (Block &block : region)
    for (Operation &op : block)
      if (events.size() <= limit)
        visit(&op);
}

} // namespace

SmallVector<PipeEvent> ttjit::collectPipeEvents(ttl::KernelOp kernel, NodeDomains &domains,
                                                size_t limit) {
  SmallVector<PipeEvent> events;
  for (Operation &thread : kernel.getBody().front())
    for (int64_t node = 0; ttl::isThread(&thread) && node < domains.numNodes(); ++node)
      ThreadWalk(&thread, node, domains, limit, events).run();
  return events;
}
