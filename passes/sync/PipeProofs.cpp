//===- PipeProofs.cpp - proves that a send may wait ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/PipeProofs.h"

#include "ir/TTL/TTLResetOps.h"
#include "passes/common/Copies.h"
#include "passes/common/DataFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The only send and the only receive of a kernel.
struct Meeting {
  ttl::CopyOp send, receive;
};

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

// Finds the only send and the only receive of a kernel. Returns nothing if the kernel has
// semaphores, copies over pipes outside of callbacks, or more or fewer sends or receives.
std::optional<Meeting> findMeeting(ttl::KernelOp kernel) {
  Meeting meeting;
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (isa<ttl::CreateSemaphoreOp>(op))
      return WalkResult::interrupt();
    auto copy = dyn_cast<ttl::CopyOp>(op);
    if (!copy || !pipeOf(copy))
      return WalkResult::advance();
    if (pipeNumber(copy))
      return WalkResult::interrupt();
    ttl::CopyOp &place = copy.isSend() ? meeting.send : meeting.receive;
    bool isFirst = !place;
    place = copy;
    return isFirst ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (result.wasInterrupted() || !meeting.send || !meeting.receive)
    return std::nullopt;
  return meeting;
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

Landing ttjit::chooseLanding(ttl::KernelOp kernel, const PipeNet &net, bool shareSlots,
                             bool landDirectly) {
  if (ttl::CreatePipeNetOp op = net.op; op->hasAttr(kQueuedAttr))
    return Landing::Queued;
  std::optional<Meeting> meeting = findMeeting(kernel);
  if (!meeting || !endsAreDisjoint(net) || !runsOncePerPipe(meeting->send) ||
      !runsOncePerPipe(meeting->receive) || !meetEquallyOften(*meeting))
    return Landing::OwnSlots;
  if (landDirectly && receiversEndOnePipe(net) && landsInTurn(meeting->receive, kernel) &&
      isFirstAccess(meeting->receive))
    return Landing::Direct;
  return shareSlots && net.numReceives > 1 ? Landing::SharedSlot : Landing::OwnSlots;
}
