//===- InferPipeSemaphores.cpp - ttl-infer-pipe-semaphores --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: pipes promise that a receiver has room for one transfer, that transfers
// arrive in order, and that the data have arrived when a receive is complete. The
// device has only writes into another node's L1, and words that count.
//
// 0. Note on the buffers which threads use them on each node, as long as callbacks say so
//    (passes/common/BufferThreads.h).
// 1. Give user semaphores the first of the chip's 16 numbers. Further ones become words
//    in a page of L1 that starts as zeros.
// 2. Give each net landing slots, counters and tables of every node's pipes
//    (passes/sync/NetLowering.h describes the protocol). Its counters are semaphores if
//    enough numbers are left for all of them, else words of the page.
// 3. Turn callbacks into loops over this node's pipes. A send waits for room, counts,
//    writes data and flag. A receive does all its work where it is waited for, so that
//    a thread may start it first and then send. If it is proved that a send may wait
//    for its receive, pipes that end at one node share a slot, or data land directly
//    (passes/sync/PipeProofs.h).
//    A ttl.wait_any first becomes a wait for one of several words, and a wait for each
//    receive in a branch of its own (passes/sync/WaitAny.h).
// 4. Write semaphores of other nodes through a scratch word of the thread.
//    Resets of buffers get a line of L1 for the threads of a node.
// 5. Turn predicates on pipes into comparisons with a number that each node has.
//
// Rejects: kernels that passes/common/VerifyPipes rejects; two user semaphores with one
// number; a user semaphore that starts at another value than 0 when no number is left.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLResetOps.h"
#include "passes/common/BufferThreads.h"
#include "passes/common/Copies.h"
#include "passes/common/Threads.h"
#include "passes/common/VerifyPipes.h"
#include "passes/sync/NetLowering.h"
#include "passes/sync/Passes.h"
#include "passes/sync/WaitAny.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINFERPIPESEMAPHORES
#include "passes/sync/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

// Gives out semaphore numbers and, when none is left, words of the page.
class WordAllocator {
public:
  explicit WordAllocator(int64_t numSemaphores) : taken(numSemaphores) {}

  bool take(int64_t id) {
    if (id < 0 || id >= static_cast<int64_t>(taken.size()) || taken[id])
      return false;
    taken.set(id);
    return true;
  }
  // Returns the number of the first of `count` consecutive semaphores.
  std::optional<int64_t> semaphores(int64_t count) {
    for (int64_t first = 0; first + count <= static_cast<int64_t>(taken.size()); ++first) {
      if (llvm::any_of(llvm::seq(first, first + count), [&](int64_t id) { return taken[id]; }))
        continue;
      taken.set(first, first + count);
      return first;
    }
    return std::nullopt;
  }
  int64_t words(int64_t count) { return std::exchange(nextWord, nextWord + count); }

private:
  llvm::SmallBitVector taken;
  int64_t nextWord = 0;
};

//===--------------------------------------------------------------------------===//
// One kernel
//===--------------------------------------------------------------------------===//

class KernelLowering {
public:
  KernelLowering(ttl::KernelOp kernel, bool shareSlots, bool landDirectly)
      : kernel(kernel), shareSlots(shareSlots), landDirectly(landDirectly),
        layout(layoutGrid(kernel.getGrid().getShape(), archOf(kernel), devicesOf(kernel))),
        allocator(archOf(kernel).numSemaphores), builder(kernel) {}

  LogicalResult run();
  int64_t numNets = 0, numWords = 0, numShared = 0, numDirect = 0;

private:
  LogicalResult numberSemaphores();
  void eraseIdleCallbacks();
  void lowerNets();
  void addScratchWords();
  void addResetWords();
  void lowerPredicate(Operation *op);
  Value flagPerNode(Operation *op, ArrayRef<bool> flags);
  void eraseUnused();

  ttl::KernelOp kernel;
  bool shareSlots, landDirectly;
  GridLayout layout;
  WordAllocator allocator;
  OpBuilder builder; // inserts before the kernel's threads
};

LogicalResult KernelLowering::numberSemaphores() {
  SmallVector<ttl::CreateSemaphoreOp> open;
  WalkResult result = kernel.walk([&](ttl::CreateSemaphoreOp op) -> WalkResult {
    if (!op.getSemaphoreId()) {
      open.push_back(op);
      return WalkResult::advance();
    }
    if (allocator.take(static_cast<int32_t>(*op.getSemaphoreId())))
      return WalkResult::advance();
    return op.emitError()
           << "semaphore number " << static_cast<int32_t>(*op.getSemaphoreId())
           << " is already used, or is not less than the chip's number of semaphores, "
           << archOf(kernel).numSemaphores;
  });
  if (result.wasInterrupted())
    return failure();
  // Only a semaphore with a number can start at another value than 0, so those come
  // first.
  for (ttl::CreateSemaphoreOp op : open) {
    if (op.getInitialValue() == 0)
      continue;
    std::optional<int64_t> id = allocator.semaphores(1);
    if (!id)
      return op.emitError()
             << "this semaphore starts at " << static_cast<int32_t>(op.getInitialValue())
             << ", but all " << archOf(kernel).numSemaphores
             << " semaphores of the chip are used: start it at 0, and set it in a thread";
    op.setSemaphoreId(*id);
  }
  for (ttl::CreateSemaphoreOp op : open) {
    if (op.getInitialValue() != 0)
      continue;
    if (std::optional<int64_t> id = allocator.semaphores(1))
      op.setSemaphoreId(*id);
    else
      op.setPageIndex(allocator.words(1));
  }
  return success();
}

// Erases callbacks of nets without pipes, which never run.
void KernelLowering::eraseIdleCallbacks() {
  kernel.walk<WalkOrder::PostOrder>([](Operation *op) {
    if (isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(op) && netOf(op).getPipes().empty())
      op->erase();
  });
}

void KernelLowering::lowerNets() {
  llvm::MapVector<Operation *, NetUses> nets;
  kernel.walk([&](Operation *op) {
    if (auto source = dyn_cast<ttl::IfPipeSrcOp>(op))
      nets[netOf(op)].sources.push_back(source);
    if (auto destination = dyn_cast<ttl::IfPipeDstOp>(op))
      nets[netOf(op)].destinations.push_back(destination);
    auto copy = dyn_cast<ttl::CopyOp>(op);
    if (!copy || !pipeOf(copy))
      return;
    NetUses &uses = nets[netOf(copy)];
    if (pipeNumber(copy))
      uses.outside.push_back(copy);
    ttl::CopyOp &first = copy.isSend() ? uses.send : uses.receive;
    if (!first)
      first = copy;
    if (copy.isReceive() && !uses.receivedInto)
      if (auto reserve = copy.getDst().getDefiningOp<ttl::CBReserveOp>())
        uses.receivedInto = reserve.getCb();
  });
  SmallVector<PipeNet> analysed;
  for (auto &[op, uses] : nets)
    if (uses.send && uses.receive)
      analysed.push_back(analyseNet(cast<ttl::CreatePipeNetOp>(op), kernel.getGrid(), layout));
  // The proof reads the kernel's copies, so it must run before the kernel changes.
  DenseMap<Operation *, Landing> landings;
  for (const PipeNet &net : analysed)
    landings[net.op] = chooseLanding(kernel, net, analysed, shareSlots, landDirectly);
  for (auto &[op, uses] : nets) {
    auto create = cast<ttl::CreatePipeNetOp>(op);
    PipeNet pipes = analyseNet(create, kernel.getGrid(), layout);
    Landing landing = landings.lookup(op);
    numShared += landing == Landing::SharedSlot;
    numDirect += landing == Landing::Direct;
    NetLowering net(kernel, std::move(pipes), std::move(uses), landing);
    std::optional<int64_t> semaphore, page;
    if (net.hasTransfers()) {
      semaphore = allocator.semaphores(net.numWords());
      if (!semaphore)
        page = allocator.words(net.numWords());
      numWords += net.numWords();
    }
    net.createResources(builder, semaphore, page);
    net.lowerCallbacks();
    ++numNets;
  }
}

// Gives each thread a word for the value that it writes, because the NoC writes from L1.
void KernelLowering::addScratchWords() {
  for (auto thread : kernel.getBody().getOps<ttl::DataMovementThreadOp>()) {
    SmallVector<ttl::SemaphoreSetOp> sets;
    thread.walk([&](ttl::SemaphoreSetOp op) {
      if (op.getSemaphore().getType().getIsRemote() && !op.getScratch())
        sets.push_back(op);
    });
    if (sets.empty())
      continue;
    std::optional<int64_t> semaphore = allocator.semaphores(1);
    IntegerAttr id = semaphore ? builder.getI32IntegerAttr(*semaphore) : IntegerAttr();
    IntegerAttr word = semaphore ? IntegerAttr() : builder.getI32IntegerAttr(allocator.words(1));
    Value words = ttl::CreateCountersOp::create(
        builder, thread.getLoc(), ttl::CountersType::get(builder.getContext(), 1),
        thread.getName().str() + ".scratch", id, word, IntegerAttr(), ArrayAttr(),
        DenseI32ArrayAttr(), IntegerAttr());
    for (ttl::SemaphoreSetOp op : sets) {
      OpBuilder at(op);
      Value zero = arith::ConstantIndexOp::create(at, op.getLoc(), 0);
      op.getScratchMutable().assign(
          ttl::CounterOp::create(at, named("scratch", op.getLoc()),
                                 ttl::SemaphoreType::get(at.getContext(), false), words, zero));
    }
  }
}

// Adds words of L1 through which the threads of a node meet; all resets use the same ones.
void KernelLowering::addResetWords() {
  Value words;
  kernel.walk([&](ttl::CBResetOp reset) {
    if (!words)
      words = ttl::CreateCountersOp::create(
          builder, reset.getLoc(), ttl::CountersType::get(builder.getContext(), 1), "reset_words",
          IntegerAttr(), builder.getI32IntegerAttr(allocator.words(1)), IntegerAttr(), ArrayAttr(),
          DenseI32ArrayAttr(), IntegerAttr());
    reset.getWordsMutable().assign(words);
  });
}

//===--------------------------------------------------------------------------===//
// Predicates
//===--------------------------------------------------------------------------===//

Value KernelLowering::flagPerNode(Operation *op, ArrayRef<bool> flags) {
  NodeTable table(flags.size(), {"is_end"});
  for (auto [node, flag] : llvm::enumerate(flags))
    table.addRow(node, {flag});
  table.create(builder, op->getLoc(), op->getName().stripDialect(), /*numUsed=*/1);
  OpBuilder at(op);
  Value zero = arith::ConstantIndexOp::create(at, op->getLoc(), 0);
  Value flag = table.field(at, op->getLoc(), zero, 0);
  return arith::CmpIOp::create(at, op->getLoc(), arith::CmpIPredicate::ne, flag, zero);
}

// Lowers predicates outside of callbacks. A predicate on the pipe of a callback is lowered together
// with the callback.
void KernelLowering::lowerPredicate(Operation *op) {
  SmallVector<Value> pipes;
  if (auto net = op->getOperand(0).getDefiningOp<ttl::CreatePipeNetOp>())
    pipes = llvm::to_vector(net.getPipes());
  else
    pipes = {op->getOperand(0)};
  bool src = !isa<ttl::IsPipeDstOp>(op), dst = !isa<ttl::IsPipeSrcOp>(op);
  SmallVector<bool> flags(kernel.getGrid().getNumCores(), false);
  for (Value value : pipes) {
    Pipe pipe = analysePipe(value.getDefiningOp<ttl::CreatePipeOp>(), kernel.getGrid(), layout);
    if (src)
      flags[pipe.src] = true;
    for (int64_t node : pipe.dst)
      flags[node] |= dst;
  }
  op->replaceAllUsesWith(ValueRange{flagPerNode(op, flags)});
  op->erase();
}

// Replaces the ends of a pipe by constants, which they are outside of callbacks.
static void foldEnds(Operation *op) {
  auto create = op->getOperand(0).getDefiningOp<ttl::CreatePipeOp>();
  if (!create)
    return;
  OpBuilder builder(op);
  ArrayRef<int64_t> coords = isa<ttl::PipeSourceOp>(op) ? create.getSrc() : *create.getDst();
  SmallVector<Value> values;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    values.push_back(
        arith::ConstantIndexOp::create(builder, op->getLoc(), i < coords.size() ? coords[i] : 0));
  op->replaceAllUsesWith(values);
  op->erase();
}

//===--------------------------------------------------------------------------===//

template <typename... Ops> static SmallVector<Operation *> collect(ttl::KernelOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<Ops...>(op))
      ops.push_back(op);
  });
  return ops;
}

void KernelLowering::eraseUnused() {
  for (Operation *op : collect<ttl::CreatePipeNetOp>(kernel))
    if (op->use_empty())
      op->erase();
  for (Operation *op : collect<ttl::CreatePipeOp>(kernel))
    if (op->use_empty())
      op->erase();
}

LogicalResult KernelLowering::run() {
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  for (Operation &op : kernel.getBody().front())
    if (isa<ttl::DataMovementThreadOp, ttl::ComputeThreadOp>(op)) {
      builder.setInsertionPoint(&op);
      break;
    }
  if (failed(numberSemaphores()))
    return failure();
  eraseIdleCallbacks();
  for (Operation *op : collect<ttl::WaitAnyOp>(kernel))
    expandWaitAny(cast<ttl::WaitAnyOp>(op));
  for (Operation *op : collect<ttl::CopyOp>(kernel))
    restoreNet(cast<ttl::CopyOp>(op));
  lowerNets();
  addScratchWords();
  addResetWords();
  for (Operation *op : collect<ttl::IsPipeSrcOp, ttl::IsPipeDstOp, ttl::IsPipeActiveOp>(kernel))
    lowerPredicate(op);
  for (Operation *op : collect<ttl::PipeSourceOp, ttl::PipeDestinationOp>(kernel))
    foldEnds(op);
  eraseUnused();
  return success();
}

struct InferPipeSemaphores : ttjit::impl::TTLInferPipeSemaphoresBase<InferPipeSemaphores> {
  using TTLInferPipeSemaphoresBase::TTLInferPipeSemaphoresBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      if (failed(verifyPipes(kernel)))
        return signalPassFailure();
      noteBufferThreads(kernel);
      KernelLowering lowering(kernel, shareSlots, landDirectly);
      if (failed(lowering.run()))
        return signalPassFailure();
      nets += lowering.numNets;
      words += lowering.numWords;
      shared += lowering.numShared;
      direct += lowering.numDirect;
    }
  }
};

} // namespace
