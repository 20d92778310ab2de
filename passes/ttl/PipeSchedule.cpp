//===- PipeSchedule.cpp - orders of sends and receives that a card refuses ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: here each receiver has room for one transfer of each pipe, and a send waits for
// room only. On a card a send waits until all receivers have started their receives. So
// some programs run here that a card cannot run.
//
// 1. List what each node does: it sends, starts a receive, or waits for one
//    (PipeEvents.h).
// 2. Pair the k-th send of a pipe with the k-th receive of each receiver. Different numbers
//    of the two are refused. If several statements make these sends, or receives, it pairs the
//    first send with the first receive only.
// 3. A start of a receive comes before its send, a send before the wait for its receive,
//    and an event of a thread before the next one. A cycle of these is refused.
// 4. Refuse a wait for a receive under a condition on the node's coordinates of another form than
//    comparisons with numbers, joined by and, or and not. The number of the device may be in any
//    form, because tt-lang's compiler knows it.
// 5. Refuse a multicast whose receivers have different buffers or slots, and a gather into a
//    buffer of fewer blocks than the node has pipes.
//
// Without `portable`, only cycles that run here are reported, as warnings. Other mistakes, and
// cycles that deadlock here, too, are found when the kernel runs. With `portable` all are errors.
// The C++ that ttl-jit emits has room for a transfer, as the language says, so it needs none of
// these rules.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/PipeSchedule.h"

#include "hw/facts/Words.h"
#include "ir/Messages/Warnings.h"
#include "passes/common/Copies.h"
#include "passes/common/Describe.h"
#include "passes/ttl/CardRules.h"
#include "passes/ttl/PipeEvents.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <queue>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

constexpr size_t kMaxEvents = 4096; // the limit of tt-lang's compiler

using Event = unsigned; // index of an event

// The events of one pipe, in the order in which the nodes execute them.
struct PipeUse {
  SmallVector<Event> sends;
  llvm::MapVector<int64_t, SmallVector<Event>> posts, waits; // by receiver
};

class ScheduleCheck {
public:
  ScheduleCheck(ttl::KernelOp kernel, bool portable)
      : kernel(kernel), portable(portable), domains(kernel),
        events(collectPipeEvents(kernel, domains, kMaxEvents)) {}

  LogicalResult run();

private:
  using Pipes = llvm::MapVector<std::pair<Value, int64_t>, PipeUse>;

  Pipes groupByPipe();
  void pair(const PipeUse &use);
  bool pair(ArrayRef<Event> first, ArrayRef<Event> second);
  void pairFirst(ArrayRef<Event> first, ArrayRef<Event> second);
  void reportNumbers(const PipeUse &use, int64_t receiver);
  void checkCycles();
  SmallVector<Event> cycleThrough(Event start);
  bool runsHere(ArrayRef<Event> cycle);
  bool reportInOneThread(ArrayRef<Event> cycle);
  void reportCycle(ArrayRef<Event> cycle);
  void checkGuards();
  void checkMulticast(const PipeUse &use);
  void checkGathers(const Pipes &pipes);
  InFlightDiagnostic report(Operation *op);
  std::string pipeName(const PipeEvent &event);
  std::string describe(const PipeEvent &event);

  ttl::KernelOp kernel;
  bool portable, ok = true;
  NodeDomains domains;
  SmallVector<PipeEvent> events;
  SmallVector<SmallVector<Event>> next; // for each event, those that come after it
};

InFlightDiagnostic ScheduleCheck::report(Operation *op) {
  ok &= !portable;
  return emitCardRule(portable, op);
}

// Returns a text such as "pipe 0 of 'net'".
std::string ScheduleCheck::pipeName(const PipeEvent &event) {
  return "pipe " + std::to_string(event.pipe.second) + " of '" + netNameOf(event.copy) + "'";
}

// Returns a text such as "the send over pipe 0 of 'net' on node (0, 0)".
std::string ScheduleCheck::describe(const PipeEvent &event) {
  StringRef what = event.kind == PipeEvent::Kind::Send   ? "the send"
                   : event.kind == PipeEvent::Kind::Post ? "the start of the receive"
                                                         : "the wait for the receive";
  return what.str() + " over " + pipeName(event) + " on node " + domains.nameOf(event.node);
}

//===--------------------------------------------------------------------------===//
// Sends and their receives
//===--------------------------------------------------------------------------===//

ScheduleCheck::Pipes ScheduleCheck::groupByPipe() {
  Pipes pipes;
  for (auto [i, event] : llvm::enumerate(events)) {
    PipeUse &use = pipes[event.pipe];
    if (event.kind == PipeEvent::Kind::Send)
      use.sends.push_back(i);
    else if (event.kind == PipeEvent::Kind::Post)
      use.posts[event.node].push_back(i);
    else
      use.waits[event.node].push_back(i);
  }
  return pipes;
}

// Lets each of the events `first` come before its partner. Returns false if they are not executed
// equally often.
bool ScheduleCheck::pair(ArrayRef<Event> first, ArrayRef<Event> second) {
  if (first.size() != second.size())
    return false;
  for (auto [one, other] : llvm::zip(first, second))
    if (events[one].times != events[other].times)
      return false;
  for (auto [one, other] : llvm::zip(first, second))
    next[one].push_back(other);
  return true;
}

// Returns whether the send waits for the starts of its receives. It does not in a net that is
// received into tensors.
static bool waitsForReceivers(const PipeEvent &send) {
  return !send.pipe.first.getDefiningOp()->hasAttr(kQueuedAttr);
}

void ScheduleCheck::pair(const PipeUse &use) {
  if (use.sends.empty())
    return;
  const PipeEvent &send = events[use.sends.front()];
  for (int64_t receiver : domains.netOf(send.pipe.first).pipes[send.pipe.second].dst) {
    ArrayRef<Event> posts, waits;
    if (auto it = use.posts.find(receiver); it != use.posts.end())
      posts = it->second;
    if (auto it = use.waits.find(receiver); it != use.waits.end())
      waits = it->second;
    if (!waitsForReceivers(send)) {
      if (pair(use.sends, waits))
        continue;
    } else {
      if (pair(posts, use.sends)) {
        pair(use.sends, waits);
        continue;
      }
      pairFirst(posts, use.sends);
    }
    pairFirst(use.sends, waits);
    if (portable)
      reportNumbers(use, receiver);
  }
}

// Lets the first of the events `first` come before the first of the others, if one thread certainly
// executes each.
void ScheduleCheck::pairFirst(ArrayRef<Event> first, ArrayRef<Event> second) {
  auto isOfOneThread = [&](ArrayRef<Event> list) {
    return llvm::all_of(
        list, [&](Event event) { return events[event].thread == events[list.front()].thread; });
  };
  if (first.empty() || second.empty() || !isOfOneThread(first) || !isOfOneThread(second))
    return;
  if (events[first.front()].times && events[second.front()].times)
    next[first.front()].push_back(second.front());
}

// Reports that a pipe has more sends than receives, or fewer, unless the numbers are not known.
void ScheduleCheck::reportNumbers(const PipeUse &use, int64_t receiver) {
  auto total = [&](ArrayRef<Event> list) {
    std::optional<int64_t> sum = 0;
    for (Event event : list)
      sum = sum && events[event].times ? std::optional(*sum + *events[event].times) : std::nullopt;
    return sum;
  };
  auto posts = use.posts.find(receiver);
  bool receives = posts != use.posts.end();
  std::optional<int64_t> sent = total(use.sends),
                         received = receives ? total(posts->second) : std::optional<int64_t>(0);
  if (!sent || !received || sent == received)
    return;
  const PipeEvent &send = events[use.sends.front()];
  InFlightDiagnostic diagnostic = report(send.op);
  diagnostic << "node " << domains.nameOf(send.node) << " sends " << hw::plural(*sent, "time")
             << " over " << pipeName(send) << ", but node " << domains.nameOf(receiver)
             << " receives " << hw::plural(*received, "time") << kRefused
             << "send as often over a pipe as each of its receivers receives";
  if (receives)
    diagnostic.attachNote(events[posts->second.front()].op->getLoc()) << "the receive is here";
}

//===--------------------------------------------------------------------------===//
// Cycles
//===--------------------------------------------------------------------------===//

// Returns the shortest cycle from the event to itself; empty if there is none.
SmallVector<Event> ScheduleCheck::cycleThrough(Event start) {
  SmallVector<int> from(events.size(), -1);
  std::queue<Event> open({start});
  while (!open.empty() && from[start] < 0) {
    Event event = open.front();
    open.pop();
    for (Event successor : next[event])
      if (from[successor] < 0) {
        from[successor] = int(event);
        open.push(successor);
      }
  }
  if (from[start] < 0)
    return {};
  SmallVector<Event> cycle{start};
  for (Event event = from[start]; event != start; event = from[event])
    cycle.push_back(event);
  std::reverse(cycle.begin() + 1, cycle.end());
  return cycle;
}

// Removes events without predecessors, one after the other. The others are in or behind a cycle.
static SmallVector<bool> notOrdered(ArrayRef<SmallVector<Event>> next) {
  SmallVector<int> incoming(next.size());
  for (ArrayRef<Event> successors : next)
    for (Event event : successors)
      ++incoming[event];
  SmallVector<Event> open;
  for (Event event = 0; event < next.size(); ++event)
    if (incoming[event] == 0)
      open.push_back(event);
  SmallVector<bool> remains(next.size(), true);
  while (!open.empty()) {
    Event event = open.pop_back_val();
    remains[event] = false;
    for (Event successor : next[event])
      if (--incoming[successor] == 0)
        open.push_back(successor);
  }
  return remains;
}

// Returns whether a send of the cycle waits for the start of a receive, for which no send waits
// here.
bool ScheduleCheck::runsHere(ArrayRef<Event> cycle) {
  for (size_t i = 0; i < cycle.size(); ++i) {
    const PipeEvent &event = events[cycle[i]], &after = events[cycle[(i + 1) % cycle.size()]];
    if (event.kind == PipeEvent::Kind::Post && after.kind == PipeEvent::Kind::Send &&
        event.pipe == after.pipe)
      return true;
  }
  return false;
}

void ScheduleCheck::checkCycles() {
  SmallVector<bool> candidates = notOrdered(next);
  for (Event event = 0; event < events.size(); ++event) {
    if (!candidates[event] || events[event].kind != PipeEvent::Kind::Send)
      continue;
    SmallVector<Event> cycle = cycleThrough(event);
    if (cycle.empty())
      continue;
    if ((portable || runsHere(cycle)) && !reportInOneThread(cycle))
      reportCycle(cycle);
    return; // further cycles are often the same on other nodes
  }
}

// Reports a send that one thread of one node has on the wrong side of its receive: before its
// start, or behind the wait for it.
bool ScheduleCheck::reportInOneThread(ArrayRef<Event> cycle) {
  const PipeEvent &send = events[cycle.front()];
  bool isInOneThread = llvm::all_of(cycle, [&](Event event) {
    return events[event].node == send.node && events[event].thread == send.thread;
  });
  for (Event event : isInOneThread ? cycle.drop_front() : ArrayRef<Event>()) {
    const PipeEvent &other = events[event];
    if (other.pipe != send.pipe)
      continue;
    if (other.kind == PipeEvent::Kind::Post) {
      InFlightDiagnostic diagnostic = report(send.op);
      diagnostic << "this sends over " << pipeName(send) << " before the same thread of node "
                 << domains.nameOf(send.node) << " starts the receive" << kRefused
                 << "start the receive first, then send, and call wait() of the receive last; or "
                    "receive in another thread";
      diagnostic.attachNote(other.op->getLoc()) << "the receive starts here";
      return true;
    }
    if (other.kind == PipeEvent::Kind::Wait) {
      InFlightDiagnostic diagnostic = report(other.op);
      diagnostic << "this waits for a receive over " << pipeName(send)
                 << " before the same thread of node " << domains.nameOf(send.node)
                 << " sends it, so the wait never ends: send before this wait, or send in another "
                    "thread";
      diagnostic.attachNote(send.op->getLoc()) << "the send is here";
      return true;
    }
  }
  return false;
}

void ScheduleCheck::reportCycle(ArrayRef<Event> cycle) {
  constexpr int kMaxNotes = 4;
  const PipeEvent &send = events[cycle.front()];
  InFlightDiagnostic diagnostic = report(send.op);
  diagnostic
      << "on a card this send over " << pipeName(send)
      << " waits, through other sends and receives, for itself: a send waits there until its "
         "receivers have started their receives"
      << kRefused
      << "start receives before sends, and call their wait() after the sends; or send and "
         "receive in different threads";
  int notes = 0;
  for (size_t i = 0; i < cycle.size() && notes < kMaxNotes; ++i) {
    const PipeEvent &event = events[cycle[(i + 1) % cycle.size()]], &before = events[cycle[i]];
    ++notes;
    diagnostic.attachNote(event.op->getLoc())
        << describe(event) << " comes after " << describe(before);
  }
  if (int(cycle.size()) > notes)
    diagnostic.attachNote(send.op->getLoc())
        << "and so on: " << cycle.size() << " steps lead back to this send";
}

//===--------------------------------------------------------------------------===//
// Waits under conditions
//===--------------------------------------------------------------------------===//

// Returns the values from which the op computes its results.
static SmallVector<Value> inputsOf(Operation *op) {
  SmallVector<Value> inputs(op->getOperands());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      if (!region->empty())
        llvm::append_range(inputs, region->front().getTerminator()->getOperands());
  return inputs;
}

// Returns whether the value is the number of the device: the node's column in the grid of all
// devices, divided by the columns of a device, of which there may be one.
static bool isDeviceNumber(Value value) {
  Operation *division = value.getDefiningOp();
  if (isa_and_present<arith::DivUIOp, arith::DivSIOp>(division))
    value = division->getOperand(0);
  else
    division = nullptr;
  auto core = value.getDefiningOp<ttl::CoreOp>();
  if (!core || value != core.getCoords().front())
    return false;
  auto kernel = core->getParentOfType<ttl::KernelOp>();
  int64_t devices = devicesOf(kernel), columns = kernel.getGrid().getShape().front();
  return devices > 1 && (division || columns == devices);
}

// Returns whether the value is computed from the node's coordinates on its device.
static bool dependsOnNode(Value value) {
  SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (isDeviceNumber(values[i]))
      continue;
    if (isa_and_present<ttl::CoreOp>(op))
      return true;
    if (op)
      values.insert_range(inputsOf(op));
  }
  return false;
}

// Returns whether the value is a coordinate of the node, perhaps of another type.
static bool isCoordinate(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value.getDefiningOp<ttl::CoreOp>() != nullptr;
}

// Returns whether tt-lang's compiler can find on which nodes the condition holds. `and`, `or` and
// `not` are several ops of arith and scf.
static bool isKnownGuard(Value condition) {
  if (!dependsOnNode(condition))
    return true;
  Operation *op = condition.getDefiningOp();
  if (isa_and_present<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp, arith::ExtUIOp,
                      scf::IfOp>(op))
    return llvm::all_of(inputsOf(op), isKnownGuard);
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  auto isKnown = [](Value one, Value other) {
    return matchPattern(other, m_Constant()) && (isCoordinate(one) || isKnownGuard(one));
  };
  return compare && (isKnown(compare.getLhs(), compare.getRhs()) ||
                     isKnown(compare.getRhs(), compare.getLhs()));
}

void ScheduleCheck::checkGuards() {
  DenseSet<Operation *> seen;
  for (const PipeEvent &event : events) {
    if (event.kind != PipeEvent::Kind::Wait || !seen.insert(event.op).second)
      continue;
    for (auto branch = event.op->getParentOfType<scf::IfOp>(); branch;
         branch = branch->getParentOfType<scf::IfOp>()) {
      if (isKnownGuard(branch.getCondition()))
        continue;
      InFlightDiagnostic diagnostic = report(event.op);
      diagnostic << "this waits for a receive under a condition on the node that is no comparison "
                    "of a coordinate with a number"
                 << kRefused
                 << "compare the results of ttl.node() with numbers, or ask net.is_dst()";
      diagnostic.attachNote(branch.getLoc()) << "the condition is here";
      return;
    }
  }
}

//===--------------------------------------------------------------------------===//
// Places of receives
//===--------------------------------------------------------------------------===//

void ScheduleCheck::checkMulticast(const PipeUse &use) {
  if (use.posts.size() < 2)
    return;
  ArrayRef<Event> first = use.posts.front().second;
  for (auto &[receiver, posts] : use.posts)
    for (auto [one, other] : llvm::zip(first, posts)) {
      const PipeEvent &a = events[one], &b = events[other];
      bool sameBuffer = a.buffer == b.buffer;
      if (sameBuffer && a.slot == b.slot && a.steps == b.steps)
        continue;
      InFlightDiagnostic diagnostic = report(b.op);
      diagnostic << "node " << domains.nameOf(b.node) << " receives " << pipeName(b)
                 << " into another " << (sameBuffer ? "block of its buffer" : "buffer")
                 << " than node " << domains.nameOf(a.node)
                 << ", but a multicast writes to one address on all nodes" << kRefused
                 << (sameBuffer ? "reserve equally many blocks of the buffer on all of them"
                                : "receive into one buffer on all of them");
      diagnostic.attachNote(a.op->getLoc()) << "the other receive is here";
      return;
    }
}

// Checks that each pipe of a net that ends at a node has a slot of its own in the buffer.
void ScheduleCheck::checkGathers(const Pipes &pipes) {
  llvm::MapVector<std::tuple<Value, int64_t, Value>, SmallVector<Event>> gathers;
  for (auto &[pipe, use] : pipes)
    for (auto &[receiver, posts] : use.posts)
      if (Value buffer = events[posts.front()].buffer)
        gathers[{pipe.first, receiver, buffer}].push_back(posts.front());
  for (auto &[key, posts] : gathers) {
    auto type = cast<ttl::CircularBufferType>(std::get<2>(key).getType());
    if (posts.size() <= size_t(type.getBufferFactor()))
      continue;
    PipeEvent &post = events[posts.front()];
    auto reserve = post.copy.getDst().getDefiningOp<ttl::CBReserveOp>();
    report(post.op) << posts.size() << " pipes of '" << netNameOf(post.copy) << "' end at node "
                    << domains.nameOf(post.node) << ", and '" << bufferName(reserve)
                    << "', into which it receives them, has block_count=" << type.getBufferFactor()
                    << kRefused << "block_count must be >= " << posts.size();
    return;
  }
}

//===--------------------------------------------------------------------------===//

LogicalResult ScheduleCheck::run() {
  if (events.size() > kMaxEvents) {
    if (portable)
      report(kernel) << "the nodes of this kernel have more than " << kMaxEvents
                     << " sends over pipes, receives and waits" << kRefused
                     << "use fewer pipes, or a multicast in the place of several pipes";
    return success(ok);
  }
  next.resize(events.size());
  for (auto [i, event] : llvm::enumerate(events))
    for (Event before : event.before)
      next[before].push_back(i);
  Pipes pipes = groupByPipe();
  for (auto &[pipe, use] : pipes)
    pair(use);
  checkCycles();
  if (!portable)
    return success();
  checkGuards();
  for (auto &[pipe, use] : pipes)
    checkMulticast(use);
  checkGathers(pipes);
  return success(ok);
}

bool usesPipes(ttl::KernelOp kernel) {
  return kernel
      .walk([](ttl::CopyOp copy) {
        return pipeOf(copy) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

LogicalResult ttjit::checkPipeSchedule(ttl::KernelOp kernel, bool portable) {
  return usesPipes(kernel) ? ScheduleCheck(kernel, portable).run() : success();
}
