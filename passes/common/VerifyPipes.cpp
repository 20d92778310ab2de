//===- VerifyPipes.cpp - rules of how a kernel uses its pipes -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a pipe carries blocks from one node into another node. Both ends must fit
// each other, and a thread knows only in a callback of the net that its node is an end.
//
// 1. Check that copies over pipes are in callbacks of the right kind, or use a pipe that has this
//    end on the nodes that run them.
// 2. Check that each net has copies at both ends, and that one thread has the copies of
//    an end.
// 3. Check that all copies of a net move blocks of one shape and format.
// 4. Check that receives of one pipe are waited for in the order in which they were
//    started, and directly by the handle of the copy: a receive happens where it is
//    waited for.
// 5. Check that ttl.wait_any waits for receives only, each of them alone in its pipe.
// 6. Check that only unicast pipes are asked for their destination.
//
// Rejects: a copy over a pipe of no net, or in the wrong callback; a copy outside of callbacks
// that all nodes run, if some are no end of the pipe; a net
// without a sender or a receiver; a pipe that two threads of a node send over, or
// receive from; pipes, nets and handles of copies over pipes that pass through loops or
// branches; blocks of different shape or format; waits for receives of one pipe in
// another order; a wait_any for other copies, or for one of two receives of a pipe that are
// in flight; the destination of a pipe to a range of nodes.
//===--------------------------------------------------------------------------===//

#include "passes/common/VerifyPipes.h"

#include "ir/Nodes/PipeNets.h"
#include "passes/common/Copies.h"
#include "passes/common/Threads.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

struct NetUse {
  SmallVector<ttl::CopyOp> sends, receives;
};

class PipeVerifier {
public:
  explicit PipeVerifier(ttl::KernelOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  LogicalResult visitUser(Operation *op);
  LogicalResult visit(ttl::CopyOp copy);
  LogicalResult visit(ttl::PipeDestinationOp op);
  LogicalResult visit(ttl::WaitAnyOp op);
  LogicalResult verifyNodes(ttl::CopyOp copy);
  LogicalResult verifyPipePartners(StringRef net, const NetUse &use);
  LogicalResult verifyPartners(StringRef net, const NetUse &use);
  LogicalResult verifyThread(StringRef net, ArrayRef<ttl::CopyOp> copies, StringRef verb);
  LogicalResult verifyBlocks(StringRef net, const NetUse &use);
  LogicalResult verifyHandle(ttl::CopyOp copy);
  LogicalResult verifyOrder(ttl::CopyOp earlier, ttl::CopyOp later);
  LogicalResult verifyAlone(ttl::CopyOp earlier, ttl::CopyOp later);
  Operation *threadOf(Operation *op);

  ttl::KernelOp kernel;
  llvm::MapVector<Operation *, NetUse> nets;
};

Operation *PipeVerifier::threadOf(Operation *op) {
  return kernel.getBody().front().findAncestorOpInBlock(*op);
}

// Refuses a net or pipe that is not known at compile time where it is used.
LogicalResult PipeVerifier::visitUser(Operation *op) {
  for (Value operand : op->getOperands()) {
    bool isNet = isa<ttl::PipeNetType>(operand.getType());
    if (!isNet && !isa<ttl::PipeType>(operand.getType()))
      continue;
    bool isKnown = isNet ? operand.getDefiningOp<ttl::CreatePipeNetOp>() != nullptr
                         : operand.getDefiningOp<ttl::CreatePipeOp>() || callbackOf(operand);
    if (!isKnown)
      return op->emitError() << "this uses an unknown " << (isNet ? "net" : "pipe")
                             << ": pipes and nets cannot be passed through loops or branches";
  }
  return success();
}

LogicalResult PipeVerifier::visit(ttl::CopyOp copy) {
  Value pipe = pipeOf(copy);
  if (!pipe)
    return success();
  bool sends = copy.isSend();
  StringRef what = sends ? "cannot send over a pipe" : "cannot receive from a pipe";
  StringRef guard = sends ? "if_src" : "if_dst";
  Operation *callback = callbackOf(pipe);
  ttl::CreatePipeNetOp net = netOf(copy);
  auto isNet = llvm::IsaPred<ttl::CreatePipeNetOp>;
  if (!callback && llvm::count_if(pipe.getUsers(), isNet) > 1)
    return copy.emitError() << what << " that belongs to several nets: copy in a callback of net."
                            << guard << "()";
  if (callback && isa<ttl::IfPipeSrcOp>(callback) != sends) {
    InFlightDiagnostic diagnostic =
        copy.emitError() << what << " inside " << (sends ? "if_dst" : "if_src") << ": this node "
                         << (sends ? "receives from" : "sends over")
                         << " the pipe; move the copy into a callback of net." << guard << "()";
    diagnostic.attachNote(callback->getLoc()) << "the callback is here";
    return diagnostic;
  }
  if (failed(verifyHandle(copy)) || failed(verifyNodes(copy)))
    return failure();
  NetUse &use = nets[net ? net.getOperation() : pipe.getDefiningOp()];
  (sends ? use.sends : use.receives).push_back(copy);
  return success();
}

// Returns whether every node of the kernel runs the op, unless its thread ends before.
static bool runsOnAllNodes(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<ttl::DataMovementThreadOp, ttl::UnifiedThreadOp>(parent))
      return true;
    else if (!isa<scf::ForOp>(parent))
      return false;
  return false;
}

// Checks a copy outside of callbacks that all nodes run: its pipe must have this end on all nodes.
LogicalResult PipeVerifier::verifyNodes(ttl::CopyOp copy) {
  if (!pipeNumber(copy) || !runsOnAllNodes(copy))
    return success();
  ttcore::GridAttr grid = kernel.getGrid();
  Pipe pipe = analysePipe(pipeOf(copy).getDefiningOp<ttl::CreatePipeOp>(), grid,
                          layoutGrid(grid.getShape(), archOf(kernel), devicesOf(kernel)));
  DenseSet<int64_t> ends(pipe.dst.begin(), pipe.dst.end());
  int64_t count = copy.isSend() ? 1 : ends.size();
  if (count == grid.getNumCores())
    return success();
  std::string who = "all " + std::to_string(grid.getNumCores()) + " nodes run";
  return copy.emitError() << wrongNodeText(copy, grid.getShape(), pipe.src, pipe.dst,
                                           devicesOf(kernel), who);
}

LogicalResult PipeVerifier::visit(ttl::PipeDestinationOp op) {
  SmallVector<ttl::CreatePipeOp> pipes;
  if (Operation *callback = callbackOf(op.getPipe())) {
    if (ttl::CreatePipeNetOp net = netOf(callback))
      for (Value pipe : net.getPipes())
        pipes.push_back(pipe.getDefiningOp<ttl::CreatePipeOp>());
  } else if (auto pipe = op.getPipe().getDefiningOp<ttl::CreatePipeOp>()) {
    pipes.push_back(pipe);
  }
  for (ttl::CreatePipeOp pipe : pipes) {
    if (pipe.getDst())
      continue;
    InFlightDiagnostic diagnostic =
        op.emitError("cannot ask for the destination of a pipe that can have several destinations");
    diagnostic.attachNote(pipe.getLoc()) << "this pipe goes to a range of nodes";
    return diagnostic;
  }
  return success();
}

// Verifies the partners of each pipe if all copies name their pipes, else of the net.
LogicalResult PipeVerifier::verifyPipePartners(StringRef net, const NetUse &use) {
  auto hasNumber = [](ttl::CopyOp copy) { return pipeNumber(copy).has_value(); };
  if (!llvm::all_of(use.sends, hasNumber) || !llvm::all_of(use.receives, hasNumber))
    return verifyPartners(net, use);
  std::map<int64_t, NetUse> pipes;
  for (ttl::CopyOp copy : use.sends)
    pipes[*pipeNumber(copy)].sends.push_back(copy);
  for (ttl::CopyOp copy : use.receives)
    pipes[*pipeNumber(copy)].receives.push_back(copy);
  bool ok = true;
  for (auto &[number, ofPipe] : pipes)
    ok &= succeeded(verifyPartners(net, ofPipe));
  return success(ok);
}

LogicalResult PipeVerifier::verifyPartners(StringRef net, const NetUse &use) {
  if (use.receives.empty())
    return use.sends.front()->emitError()
           << "this sends over '" << net
           << "', but no thread receives from it: copy from the pipe into a block in a callback of "
              "if_dst(), or under a condition that is true where the pipe ends";
  if (use.sends.empty())
    return use.receives.front()->emitError() << "this receives from '" << net
                                             << "', but no thread sends over it: copy a block into "
                                                "the pipe in a callback of if_src(), or under a "
                                                "condition that is true where the pipe begins";
  return success();
}

static bool mayShareEnd(ttl::CopyOp a, ttl::CopyOp b) {
  return !pipeNumber(a) || !pipeNumber(b) || pipeNumber(a) == pipeNumber(b);
}

LogicalResult PipeVerifier::verifyThread(StringRef net, ArrayRef<ttl::CopyOp> copies,
                                         StringRef verb) {
  for (ttl::CopyOp copy : copies) {
    auto other = llvm::find_if(copies, [&](ttl::CopyOp other) {
      return threadOf(copy) != threadOf(other) && mayShareEnd(copy, other);
    });
    if (other == copies.end() || other > llvm::find(copies, copy))
      continue;
    InFlightDiagnostic diagnostic =
        copy.emitError()
        << "a second thread " << verb << " '" << net
        << "': only one thread may, because the transfers of a pipe are ordered; use a net for "
           "each thread";
    diagnostic.attachNote((*other)->getLoc()) << "the copy of the other thread is here";
    return diagnostic;
  }
  return success();
}

LogicalResult PipeVerifier::verifyBlocks(StringRef net, const NetUse &use) {
  SmallVector<ttl::CopyOp> copies(use.sends);
  llvm::append_range(copies, use.receives);
  auto shapeOf = [](ttl::CopyOp copy) {
    return ttl::getBlockShape(blockOf(copy).getType()).drop_while([](int64_t extent) {
      return extent == 1;
    });
  };
  auto elementOf = [](ttl::CopyOp copy) {
    return cast<ttl::BlockType>(blockOf(copy).getType()).getTensorType().getElementType();
  };
  ttl::CopyOp first = copies.front();
  for (ttl::CopyOp copy : copies) {
    bool sameShape = shapeOf(copy) == shapeOf(first);
    if (sameShape && elementOf(copy) == elementOf(first))
      continue;
    InFlightDiagnostic diagnostic = copy.emitError() << "this copies a block of ";
    if (!sameShape)
      diagnostic << "shape " << ttl::shapeText(ttl::getBlockShape(blockOf(copy).getType()))
                 << " over '" << net << "', but the other end copies one of shape "
                 << ttl::shapeText(ttl::getBlockShape(blockOf(first).getType()))
                 << ": both ends of a pipe must copy blocks of the same shape";
    else
      diagnostic << elementOf(copy) << " over '" << net << "', but the other end copies one of "
                 << elementOf(first) << ": both ends of a pipe must copy blocks of the same format";
    diagnostic.attachNote(first.getLoc()) << "the other copy is here";
    return diagnostic;
  }
  return success();
}

LogicalResult PipeVerifier::verifyHandle(ttl::CopyOp copy) {
  for (Operation *user : copy.getXf().getUsers()) {
    if (isa<ttl::WaitOp, ttl::WaitAnyOp>(user))
      continue;
    InFlightDiagnostic diagnostic = copy.emitError(
        "the handle of a copy over a pipe cannot be passed through a loop or branch: "
        "wait for the copy where it is started");
    diagnostic.attachNote(user->getLoc()) << "it is passed on here";
    return diagnostic;
  }
  return success();
}

// Returns whether two copies of one net are known to be over one pipe.
static bool isSamePipe(ttl::CopyOp a, ttl::CopyOp b) {
  return pipeOf(a) == pipeOf(b) || (pipeNumber(a) && pipeNumber(a) == pipeNumber(b));
}

// Returns whether `a` runs before `b` whenever both run. Ops of two branches have no order.
static bool comesBefore(Operation *a, Operation *b) {
  for (; a; a = a->getParentOp())
    if (Operation *inBlock = a->getBlock() ? a->getBlock()->findAncestorOpInBlock(*b) : nullptr)
      return a->isBeforeInBlock(inBlock);
  return false;
}

LogicalResult PipeVerifier::verifyOrder(ttl::CopyOp earlier, ttl::CopyOp later) {
  if (!isSamePipe(earlier, later) || !comesBefore(earlier, later))
    return success();
  for (Operation *wait : later.getXf().getUsers())
    for (Operation *other : earlier.getXf().getUsers()) {
      bool isChoice = llvm::is_contained(earlier.getXf().getUsers(), wait);
      if (isChoice || !comesBefore(wait, other))
        continue;
      InFlightDiagnostic diagnostic = wait->emitError(
          "this waits first for the later one of two transfers over a pipe: transfers arrive in "
          "the order of their copies, so wait in that order");
      diagnostic.attachNote(earlier.getLoc()) << "the earlier copy is here";
      diagnostic.attachNote(later.getLoc()) << "the later copy is here";
      return diagnostic;
    }
  return success();
}

LogicalResult PipeVerifier::visit(ttl::WaitAnyOp op) {
  for (Value handle : op.getXfs()) {
    auto copy = handle.getDefiningOp<ttl::CopyOp>();
    if (copy && copy.isReceive())
      continue;
    InFlightDiagnostic diagnostic =
        op.emitError("wait_any() waits for receives over pipes only, by the handles that "
                     "copy() returned: ");
    if (!copy)
      return diagnostic << "this handle was passed through a loop or branch";
    diagnostic << (copy.isSend() ? "one of these copies sends over a pipe"
                                 : "one of these copies moves data between a tensor and a block")
               << "; call its wait() instead";
    diagnostic.attachNote(copy.getLoc()) << "the copy is here";
    return diagnostic;
  }
  return success();
}

static bool isInWaitAny(ttl::CopyOp copy) {
  return llvm::any_of(copy.getXf().getUsers(), llvm::IsaPred<ttl::WaitAnyOp>);
}

// Returns whether a wait for the receive can find it complete.
static bool mayFindComplete(ttl::CopyOp copy) {
  return isInWaitAny(copy) || mayBeWaitedForTwice(copy);
}

// Checks that a receive which a wait can find complete is the only one of its pipe in flight.
LogicalResult PipeVerifier::verifyAlone(ttl::CopyOp earlier, ttl::CopyOp later) {
  if (!isSamePipe(earlier, later) || !comesBefore(earlier, later) ||
      !(mayFindComplete(earlier) || mayFindComplete(later)))
    return success();
  bool isWaitedFor = llvm::any_of(earlier.getXf().getUsers(), [&](Operation *user) {
    return isa<ttl::WaitOp>(user) && comesBefore(user, later);
  });
  if (isWaitedFor)
    return success();
  bool isChoice = isInWaitAny(earlier) || isInWaitAny(later);
  InFlightDiagnostic diagnostic =
      later.emitError("this starts a second receive of a pipe while the first is in flight, and ")
      << (isChoice ? "wait_any() waits for one of the two"
                   : "a path waits for one of the two twice")
      << ": wait() for the first before this copy";
  diagnostic.attachNote(earlier.getLoc()) << "the first receive is here";
  return diagnostic;
}

LogicalResult PipeVerifier::run() {
  bool ok = true;
  kernel.walk([&](Operation *op) {
    if (isa<scf::YieldOp>(op)) // the check is made at the uses of the yielded value
      return;
    if (failed(visitUser(op))) {
      ok = false;
      return;
    }
    if (auto copy = dyn_cast<ttl::CopyOp>(op))
      ok &= succeeded(visit(copy));
    if (auto destination = dyn_cast<ttl::PipeDestinationOp>(op))
      ok &= succeeded(visit(destination));
    if (auto waitAny = dyn_cast<ttl::WaitAnyOp>(op))
      ok &= succeeded(visit(waitAny));
  });
  if (!ok)
    return failure();
  for (auto &[op, use] : nets) {
    std::string net = netNameOf(use.sends.empty() ? use.receives.front() : use.sends.front());
    ok &= succeeded(verifyPipePartners(net, use)) &&
          succeeded(verifyThread(net, use.sends, "sends over")) &&
          succeeded(verifyThread(net, use.receives, "receives from")) &&
          succeeded(verifyBlocks(net, use));
    for (ttl::CopyOp earlier : use.receives)
      for (ttl::CopyOp later : use.receives)
        ok &= succeeded(verifyOrder(earlier, later)) && succeeded(verifyAlone(earlier, later));
  }
  return success(ok);
}

} // namespace

LogicalResult ttjit::verifyPipes(ttl::KernelOp kernel) { return PipeVerifier(kernel).run(); }
