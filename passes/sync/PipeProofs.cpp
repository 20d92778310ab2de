//===- PipeProofs.cpp - proves that a send may wait ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/PipeProofs.h"

#include "ir/TTL/TTLResetOps.h"
#include "passes/common/Copies.h"
#include "passes/common/DataFlow.h"
#include "passes/sync/EqualSteps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The only send and the only receive of a net.
struct Meeting {
  ttl::CopyOp send, receive;
};
using Meetings = llvm::MapVector<Operation *, Meeting>; // by net

bool endsAreDisjoint(const PipeNet &net) {
  DenseSet<int64_t> sources;
  for (const Pipe &pipe : net.pipes)
    sources.insert(pipe.src);
  return llvm::none_of(net.pipes, [&](const Pipe &pipe) {
    return llvm::any_of(pipe.dst, [&](int64_t node) { return sources.contains(node); });
  });
}

bool receiversEndOnePipe(const PipeNet &net) {
  DenseSet<int64_t> receivers;
  for (const Pipe &pipe : net.pipes)
    for (int64_t node : pipe.dst)
      if (!receivers.insert(node).second)
        return false;
  return true;
}

// Finds the only send and the only receive of each net that has copies. Returns nothing if a net
// has more or fewer, or the kernel has semaphores or copies over pipes outside of callbacks.
std::optional<Meetings> findMeetings(ttl::KernelOp kernel) {
  Meetings meetings;
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (isa<ttl::CreateSemaphoreOp>(op))
      return WalkResult::interrupt();
    auto copy = dyn_cast<ttl::CopyOp>(op);
    if (!copy || !pipeOf(copy))
      return WalkResult::advance();
    if (pipeNumber(copy))
      return WalkResult::interrupt();
    Meeting &meeting = meetings[netOf(copy)];
    ttl::CopyOp &place = copy.isSend() ? meeting.send : meeting.receive;
    bool isFirst = !place;
    place = copy;
    return isFirst ? WalkResult::advance() : WalkResult::interrupt();
  });
  bool isComplete =
      llvm::all_of(meetings, [](auto &entry) { return entry.second.send && entry.second.receive; });
  if (result.wasInterrupted() || !isComplete)
    return std::nullopt;
  return meetings;
}

// Returns whether the copy and its only wait are directly in the callback, in no loop or branch.
bool runsOncePerPipe(ttl::CopyOp copy) {
  Operation *callback = callbackOf(pipeOf(copy));
  return copy->getParentOp() == callback && copy->hasOneUse() &&
         (*copy->user_begin())->getParentOp() == callback;
}

bool meetEquallyOften(const Meeting &meeting) {
  auto timesOf = [](ttl::CopyOp copy) {
    return timesRun(callbackOf(pipeOf(copy)), copy->getParentOfType<ttl::DataMovementThreadOp>());
  };
  std::optional<int64_t> sends = timesOf(meeting.send);
  return sends && sends == timesOf(meeting.receive);
}

bool meetsOncePerPipe(const Meeting &meeting) {
  return runsOncePerPipe(meeting.send) && runsOncePerPipe(meeting.receive) &&
         meetEquallyOften(meeting);
}

// Returns whether the transfers of all nets are steps that every node does in the same order.
bool nodesMeetInStep(ttl::KernelOp kernel, const Meetings &meetings) {
  return nodesUseBuffersAlike(kernel) && llvm::all_of(meetings, [](auto &entry) {
           const Meeting &meeting = entry.second;
           return meetsOncePerPipe(meeting) &&
                  areOneStep(callbackOf(pipeOf(meeting.send)), callbackOf(pipeOf(meeting.receive)));
         });
}

// Returns whether the k-th receive fills slot k modulo the ring's size.
bool landsInTurn(ttl::CopyOp receive, ttl::KernelOp kernel) {
  auto reserve = receive.getDst().getDefiningOp<ttl::CBReserveOp>();
  Operation *callback = callbackOf(pipeOf(receive));
  auto buffer = reserve ? reserve.getCb().getDefiningOp<ttl::CreateCBOp>() : ttl::CreateCBOp();
  // The sender needs the address of the slot, and a tensor has another one in each launch.
  if (!buffer || buffer.isTensorBacked() ||
      (reserve->getBlock() != receive->getBlock() && reserve->getBlock() != callback->getBlock()))
    return false;
  // After a reset the ring begins at slot 0 again.
  if (llvm::any_of(buffer->getUsers(), llvm::IsaPred<ttl::CBResetOp>))
    return false;
  WalkResult others = kernel.walk([&](ttl::CBReserveOp op) {
    return op != reserve && op.getCb() == reserve.getCb() ? WalkResult::interrupt()
                                                          : WalkResult::advance();
  });
  return !others.wasInterrupted();
}

// Returns whether no op uses the block before the receive. Callbacks of if_pipe_src do not count:
// the nodes that run them receive nothing.
bool isFirstAccess(ttl::CopyOp receive) {
  for (Operation *user : receive.getDst().getUsers()) {
    if (user == receive || user->getParentOfType<ttl::IfPipeSrcOp>())
      continue;
    // An op is later if it follows the receive in the callback, or follows the
    // callback.
    Operation *inCallback = receive->getBlock()->findAncestorOpInBlock(*user);
    Operation *callback = receive->getParentOp();
    Operation *outside = callback->getBlock()->findAncestorOpInBlock(*user);
    bool after = inCallback ? receive->isBeforeInBlock(inCallback)
                            : outside && callback->isBeforeInBlock(outside);
    if (!after)
      return false;
  }
  return true;
}

} // namespace

Landing ttjit::chooseLanding(ttl::KernelOp kernel, const PipeNet &net, ArrayRef<PipeNet> nets,
                             bool shareSlots, bool landDirectly) {
  if (net.op->hasAttr(kQueuedAttr))
    return Landing::Queued;
  std::optional<Meetings> meetings = findMeetings(kernel);
  if (!meetings || !llvm::all_of(nets, endsAreDisjoint))
    return Landing::OwnSlots;
  Meeting meeting = meetings->lookup(net.op);
  bool isAlone = meetings->size() == 1;
  if (!meetsOncePerPipe(meeting) || !(isAlone || nodesMeetInStep(kernel, *meetings)))
    return Landing::OwnSlots;
  if (landDirectly && receiversEndOnePipe(net) && landsInTurn(meeting.receive, kernel) &&
      isFirstAccess(meeting.receive))
    return Landing::Direct;
  return shareSlots && isAlone && net.numReceives > 1 ? Landing::SharedSlot : Landing::OwnSlots;
}
