//===- BlockRules.cpp - rules for operations on blocks ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/BlockRules.h"

#include "ir/Locations/Locations.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/Copies.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"
#include "passes/ttl/BufferResets.h"
#include "passes/ttl/ExternalEffects.h"
#include "passes/ttl/ReplacedCopies.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static constexpr const char *kUnwritten = "nobody has written it since it was reserved";

//===--------------------------------------------------------------------------===//
// Findings
//===--------------------------------------------------------------------------===//

Finding &BlockRules::fail(Operation *op, const Twine &message) {
  return findings.emplace_back(Finding{op, message.str(), {}, /*isError=*/true});
}

// Reports an error; returns false, which ends the checks.
bool BlockRules::failAt(Operation *op, const BlockStates::Held &held, const Twine &message) {
  fail(op, message).notes.push_back({held.origin, "the block is acquired here"});
  return false;
}

void BlockRules::failAtRunTime(Operation *op, const BlockStates::Held &held, const Twine &message) {
  failAt(op, held, message);
  findings.back().atRunTime = true;
}

SmallVector<Operation *> ttjit::releasesOf(Value block) {
  SmallVector<Operation *> releases;
  for (Operation *user : block.getUsers())
    if (isa<ttl::CBPopOp, ttl::CBPushOp>(user))
      releases.push_back(user);
  return releases;
}

// Returns "passed into the loop in line 7; after the loop, use the loop's result" if
// the value was passed to a loop or branch; else nothing.
static std::optional<std::string> newName(Value value, Operation *user) {
  for (OpOperand &use : value.getUses()) {
    if (forwardedTo(use).empty())
      continue;
    bool enters = isa<RegionBranchOpInterface>(use.getOwner());
    Operation *branch = enters ? use.getOwner() : use.getOwner()->getParentOp();
    std::string what = isa<LoopLikeOpInterface>(branch) ? "loop" : "branch";
    std::string place = branch->isProperAncestor(user)
                            ? "; in the " + what + ", use the " + what + "'s argument"
                            : "; after the " + what + ", use the " + what + "'s result";
    return "passed " + std::string(enters ? "into" : "out of") + " the " + what + " in " +
           describeLine(branch->getLoc()) + place;
  }
  return std::nullopt;
}

static std::string describe(const BlockStates::Held &held) { return describeBlock(held.origin); }

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

bool ttjit::alwaysFails(ttl::AssertOp op) { return matchPattern(op.getCondition(), m_Zero()); }

bool BlockRules::apply(Operation *op) {
  if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
    return acquire(op);
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
    return release(op);
  if (auto copyOp = dyn_cast<ttl::CopyOp>(op))
    return copy(copyOp);
  if (auto waitOp = dyn_cast<ttl::WaitOp>(op))
    return wait(waitOp);
  if (auto waitAnyOp = dyn_cast<ttl::WaitAnyOp>(op))
    return waitAny(waitAnyOp);
  if (auto barrierOp = dyn_cast<ttl::DMABarrierOp>(op))
    return barrier(barrierOp);
  if (auto printOp = dyn_cast<ttl::PrintBlockOp>(op))
    return isHeld(printOp.getBlock(), op, "print");
  if (auto callOp = dyn_cast<ttl::CallHostOp>(op))
    return callHost(callOp);
  if (auto assertOp = dyn_cast<ttl::AssertOp>(op); assertOp && alwaysFails(assertOp))
    state.end();
  if (auto resetOp = dyn_cast<ttl::CBResetOp>(op))
    return reset(resetOp);
  if (auto externalOp = dyn_cast<ttcpp::CallOp>(op))
    return callExternal(externalOp);
  return useBlocks(op);
}

// Checks the blocks that the op declares to read and write, reads first.
bool BlockRules::useBlocks(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  // All ops except ttl.block_store write a block tile by tile.
  auto store = dyn_cast<ttl::BlockStoreOp>(op);
  bool mayOverwrite = !store || store.getAccumulate();
  for (bool writes : {false, true})
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value block = effect.getValue();
      if (!block || !isa<ttl::BlockType>(block.getType()) ||
          isa<MemoryEffects::Write>(effect.getEffect()) != writes)
        continue;
      if (writes ? !write(block, op, "store into", mayOverwrite) : !read(block, op, "read"))
        return false;
    }
  return true;
}

bool BlockRules::acquire(Operation *op) {
  if (isCountedAcquire(op))
    return true;
  SmallVector<BlockStates::Held> &held = state.held[queueOf(op)];
  int64_t blocks = cast<ttl::CircularBufferType>(op->getOperand(0).getType()).getBufferFactor();
  if (static_cast<int64_t>(held.size()) >= blocks) {
    Finding &finding =
        fail(op, "this acquires one more block of '" + bufferName(op) + "' than the buffer has (" +
                     Twine(blocks) +
                     "), so it would wait for ever; "
                     "release an older block first, or make the buffer with a larger "
                     "block_count");
    for (const BlockStates::Held &older : held)
      finding.notes.push_back({older.origin, "this block is still held"});
    return false;
  }
  unsigned first = isa<ttl::CBWaitOp>(op) ? MustBeRead : MustBeWritten;
  held.push_back({op->getResult(0), op, first});
  return true;
}

// Returns the reset that dropped a block which is not held; null if the thread released the block.
static ttl::CBResetOp resetOf(Operation *acquire, Value block, Operation *by) {
  auto isBefore = [&](Operation *release) {
    return release != by && (release->getBlock() != by->getBlock() || release->isBeforeInBlock(by));
  };
  if (llvm::any_of(releasesOf(block), isBefore))
    return {};
  return lastResetBefore(by, acquire->getOperand(0));
}

bool BlockRules::isHeld(Value block, Operation *by, StringRef what) {
  if (state.find(block) || isCountedBlock(block))
    return true;
  std::string text = "cannot " + what.str() + " ";
  Operation *origin = originsOf(block).front();
  bool isAcquire = isa_and_present<ttl::CBWaitOp, ttl::CBReserveOp>(origin);
  text += isAcquire ? describeBlock(origin) : "a block";
  if (std::optional<std::string> renamed = newName(block, by)) {
    fail(by, text + ": it was " + *renamed);
    return false;
  }
  if (ttl::CBResetOp dropped = isAcquire ? resetOf(origin, block, by) : ttl::CBResetOp()) {
    Finding &finding = fail(by, text + ": the reset in " + describeLine(dropped.getLoc()) +
                                    " dropped it; acquire a block after the reset");
    finding.notes.push_back({origin, "the block is acquired here"});
    finding.notes.push_back({dropped, "the reset is here"});
    return false;
  }
  bool isRelease = isa<ttl::CBPopOp, ttl::CBPushOp>(by);
  Finding &finding =
      fail(by, text + ": it was released already; " +
                   (isRelease ? "release a block once" : "release it after its last use"));
  if (isAcquire)
    finding.notes.push_back({origin, "the block is acquired here"});
  for (Operation *release : releasesOf(block))
    if (release != by && (release->getBlock() != by->getBlock() || release->isBeforeInBlock(by)))
      finding.notes.push_back({release, "the block is released here"});
  return false;
}

// Checks that no copy locks the block. A copy out of a block does not forbid reading
// it.
bool BlockRules::notLocked(Value block, Operation *by, StringRef what, bool reading) {
  ttl::CopyOp copy = state.lockOf(block, /*into=*/true);
  if (!copy && !reading)
    copy = state.lockOf(block, /*into=*/false);
  auto byCopy = dyn_cast<ttl::CopyOp>(by);
  // Only the device knows whether two parts of a block overlap.
  if (!copy || (copy.getPart() && byCopy && byCopy.getPart()))
    return true;
  Finding &finding =
      fail(by, "copy lock error: cannot " + what + " " + describe(*state.find(block)) +
                   " while a copy " + (fillsBlock(copy) ? "into" : "out of") +
                   " it is in flight: wait for the copy first");
  finding.notes.push_back({copy, "the copy starts here"});
  return false;
}

// Says what to do if `by` may be a copy whose source and destination are exchanged.
static const char *adviceOnEnds(Operation *by) {
  auto copy = dyn_cast<ttl::CopyOp>(by);
  if (!copy || pipeOf(copy))
    return "";
  return fillsBlock(copy)
             ? "; to copy the block to the tensor, write the block first: ttl.copy(block, slice)"
             : "; to copy the tensor to the block, write the slice first: ttl.copy(slice, block)";
}

bool BlockRules::read(Value block, Operation *by, StringRef what) {
  if (isCountedBlock(block))
    return true;
  if (!isHeld(block, by, what) || !notLocked(block, by, what, /*reading=*/true))
    return false;
  BlockStates::Held &held = *state.find(block);
  if (held.states == MustBeWritten)
    failAtRunTime(by, held,
                  "cannot " + what + " " + describe(held) + ": " + kUnwritten +
                      ", so it holds garbage" + adviceOnEnds(by));
  held.states = ReadWrite;
  return true;
}

bool BlockRules::write(Value block, Operation *by, StringRef what, bool mayOverwrite) {
  if (isCountedBlock(block))
    return true;
  if (!isHeld(block, by, what) || !notLocked(block, by, what, /*reading=*/false))
    return false;
  BlockStates::Held &held = *state.find(block);
  // A program may store into a block that it reserved as often as it likes.
  bool storesAgain = isa<ttl::BlockStoreOp>(by) && isa<ttl::CBReserveOp>(held.origin);
  if (held.states == MustBeRead && !mayOverwrite && !storesAgain)
    failAtRunTime(by, held,
                  "cannot " + what + " " + describe(held) + ": nobody has read its contents yet" +
                      adviceOnEnds(by));
  held.states = MustBeRead;
  return true;
}

bool BlockRules::releasable(Value block, Operation *by, StringRef what) {
  if (!isHeld(block, by, what))
    return false;
  const BlockStates::Held &held = *state.find(block);
  bool pops = isa<ttl::CBPopOp>(by);
  if (pops != isa<ttl::CBWaitOp>(held.origin))
    return failAt(by, held,
                  "cannot " + what + " " + describe(held) + ": it was " +
                      (pops ? "reserved" : "waited for") + ", so release it with " +
                      releaseText(held.origin) + " instead");
  // A copy that the user never waits for is completed here.
  for (auto &[handle, transfer] : state.transfers)
    if (handle.use_empty() && handle.getDefiningOp<ttl::CopyOp>())
      transfer.states = Completed;
  if (!notLocked(block, by, what, /*reading=*/false))
    return false;
  const BlockStates::Held &oldest = state.held[queueOf(held.origin)].front();
  if (oldest.block == block)
    return true;
  Finding &finding =
      fail(by, "cannot " + what + " " + describe(held) + " before " + describe(oldest) +
                   ", which was acquired earlier: release them in that order");
  finding.notes.push_back({held.origin, "the block is acquired here"});
  finding.notes.push_back({oldest.origin, "the older block is acquired here"});
  return false;
}

// Reports a push of a block that nobody has written, at the statement that the program may have
// written in place of a store if there is one.
void BlockRules::failUnwritten(Operation *push, const BlockStates::Held &held) {
  auto rebound = held.origin->getAttrOfType<LocationAttr>(ttl::kReboundAttr);
  if (!rebound)
    return failAtRunTime(push, held,
                         "cannot push " + describe(held) + ": " + kUnwritten +
                             "; write it with store() or ttl.copy(): 'name = value' only binds the "
                             "name");
  std::string name = getSourceName(held.origin->getLoc()).value_or("block");
  failAtRunTime(push, held,
                "'" + name + " = ...' gives the name another value and writes nothing into " +
                    describe(held) + ": write " + name + ".store(...)");
  findings.back().place = rebound;
  findings.back().notes.push_back({push, "the block is pushed here, unwritten"});
}

// Returns whether all that the program does with a reserved block is to push it.
static bool isOnlyPushed(Value block) {
  return llvm::all_of(block.getUsers(), [](Operation *user) { return isa<ttl::CBPushOp>(user); });
}

// Returns whether a push of an unwritten block may stand on a path that no node takes: the thread
// writes the blocks of the buffer at another reserve, and does nothing else with this one.
static bool mayBeUnused(const BlockStates::Held &held) {
  auto reserve = dyn_cast<ttl::CBReserveOp>(held.origin);
  if (!reserve || held.block != reserve.getBlock() || reserve->hasAttr(ttl::kReboundAttr) ||
      !isOnlyPushed(held.block))
    return false;
  return llvm::any_of(reserve.getCb().getUsers(), [](Operation *user) {
    auto other = dyn_cast<ttl::CBReserveOp>(user);
    return other && !isOnlyPushed(other.getBlock());
  });
}

void BlockRules::warnUnwritten(Operation *push, const BlockStates::Held &held) {
  findings.push_back(
      {push,
       "this pushes " + describe(held) + ", but " + kUnwritten + "; a node that gets here faults",
       {{held.origin, "the block is acquired here"}},
       /*isError=*/false});
}

bool BlockRules::release(Operation *op) {
  Value block = op->getOperand(0);
  if (isCountedBlock(block))
    return true;
  bool pops = isa<ttl::CBPopOp>(op);
  if (!releasable(block, op, pops ? "pop" : "push"))
    return false;
  BlockStates::Held &held = *state.find(block);
  if (!pops && held.states == MustBeWritten)
    mayBeUnused(held) ? warnUnwritten(op, held) : failUnwritten(op, held);
  // A program that names the thread of the release means to skip the block.
  if (pops && held.states == MustBeRead && !op->hasAttr(ttl::kSelectorAttr))
    findings.push_back({op,
                        "this pops " + describe(held) + ", but nobody has read it",
                        {{held.origin, "the block is acquired here"}},
                        /*isError=*/false});
  SmallVector<BlockStates::Held> &queue = state.held[queueOf(held.origin)];
  queue.erase(queue.begin());
  return true;
}

// Applies a call of a host function, which may write the blocks that the thread reserved.
bool BlockRules::callHost(ttl::CallHostOp op) {
  for (Value argument : op.getArguments()) {
    if (!isa<ttl::BlockType>(argument.getType()) || isCountedBlock(argument))
      continue;
    if (!isHeld(argument, op, "pass"))
      return false;
    bool isReservedBlock = isa<ttl::CBReserveOp>(state.find(argument)->origin);
    if (isReservedBlock ? !write(argument, op, "write", /*mayOverwrite=*/true)
                        : !read(argument, op, "read"))
      return false;
  }
  return true;
}

// Applies a call of a C++ function, which may read blocks waited for, and fill reserved ones.
bool BlockRules::passExternal(ttcpp::CallOp op, BlockQueue queue, bool isInspected) {
  auto it = state.held.find(queue);
  if (it == state.held.end())
    return true;
  SmallVector<Value> blocks =
      llvm::map_to_vector(it->second, [](const BlockStates::Held &held) { return held.block; });
  for (Value block : blocks) {
    bool ok = !queue.second  ? read(block, op, "read")
              : !isInspected ? write(block, op, "write", /*mayOverwrite=*/true)
                             : true;
    if (!ok)
      return false;
  }
  return true;
}

// Notes that blocks of a buffer's side are others after a C++ function has used that side.
bool BlockRules::callExternal(ttcpp::CallOp op) {
  SmallVector<BlockQueue> stated = statedQueues(op);
  for (BlockQueue queue : stated) {
    auto it = state.held.find(queue);
    if (it == state.held.end() || it->second.empty())
      continue;
    const BlockStates::Held &held = it->second.front();
    return failAt(op, held,
                  "the effects of '" + op.getCallee() + "' " +
                      (queue.second ? "reserve or push" : "wait for or pop") + " pages of '" +
                      bufferName(held.origin) + "', but the thread holds " + describe(held) +
                      ": release it before the call, or let the function leave it as it is");
  }
  if (op.getUnknownAccess()) {
    SmallVector<BlockQueue> all =
        llvm::map_to_vector(state.held, [](auto &entry) { return entry.first; });
    return llvm::all_of(all, [&](BlockQueue queue) { return passExternal(op, queue, false); });
  }
  for (auto [number, buffer] : llvm::enumerate(op.getDependencies()))
    for (unsigned side : {0u, 1u})
      if (!passExternal(op, {buffer, side}, !op.isOpaque(number)))
        return false;
  return true;
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

bool BlockRules::copy(ttl::CopyOp op) {
  Value block = blockOf(op);
  bool isPart = static_cast<bool>(op.getPart());
  if (fillsBlock(op) ? !write(block, op, "copy into", /*mayOverwrite=*/isPart)
                     : !read(block, op, "copy from"))
    return false;
  state.transfers[op.getXf()] = {op, block, InFlightState};
  return true;
}

// Reports the error of a wait for a copy that the program has waited for, or whose handle it has
// given another name. Returns false, which ends the checks.
bool BlockRules::waitedFor(Operation *op, Value handle, ArrayRef<Operation *> copies) {
  if (std::optional<std::string> renamed = newName(handle, op)) {
    fail(op, "this waits for a copy whose handle was " + *renamed);
    return false;
  }
  Finding &finding = fail(op, "this waits a second time for the same copy");
  for (Operation *copy : llvm::make_filter_range(copies, llvm::IsaAndPresentPred<ttl::CopyOp>))
    finding.notes.push_back({copy, "the copy starts here"});
  return false;
}

bool BlockRules::wait(ttl::WaitOp op) {
  Value handle = op.getXf();
  auto *it = state.transfers.find(handle);
  if (it == state.transfers.end())
    return waitedFor(op, handle, originsOf(handle));
  if (it->second.states == Completed)
    return it->second.copy.isReceive() || waitedFor(op, handle, it->second.copy.getOperation());
  if (op->hasAttr(kOverwrittenAttr))
    if (BlockStates::Held *held = state.find(it->second.block))
      held->states = MustBeWritten;
  // Whether all paths that start the copy wait for it here, and nothing passes the
  // handle on.
  bool onlyWaits = llvm::all_of(handle.getUsers(), llvm::IsaPred<ttl::WaitOp>);
  if (onlyWaits && op->getBlock() == handle.getParentBlock())
    state.transfers.erase(it);
  else
    it->second.states = Completed;
  return true;
}

// Completes one of several receives. Which one is known at run time only, so it may be any of them.
bool BlockRules::waitAny(ttl::WaitAnyOp op) {
  for (Value handle : op.getXfs()) {
    auto *it = state.transfers.find(handle);
    if (it == state.transfers.end())
      return waitedFor(op, handle, originsOf(handle));
    if (it->second.states == Completed)
      return waitedFor(op, handle, it->second.copy.getOperation());
    if (op.getXfs().size() == 1)
      it->second.states = Completed;
    else
      it->second.states |= Completed;
  }
  return true;
}

bool BlockRules::barrier(ttl::DMABarrierOp op) {
  for (auto &[handle, transfer] : state.transfers) {
    ttl::CopyOp copy = transfer.copy;
    // Transfers through pipes end with a signal, so a barrier of the NoC does not
    // complete them.
    if (transfer.states != Completed && !op.getId() && !pipeOf(copy) &&
        (copy.isRead() ? op.waitsForReads() : op.waitsForWrites()))
      transfer.states = Landed;
  }
  return true;
}

//===--------------------------------------------------------------------------===//
// Resets
//===--------------------------------------------------------------------------===//

// Applies a reset: the thread completes its copies and drops all blocks of the buffers. A transfer
// over a pipe ends with a signal of the other node, for which only its wait waits.
bool BlockRules::reset(ttl::CBResetOp op) {
  for (auto &[handle, transfer] : state.transfers) {
    const BlockStates::Held *held = state.find(transfer.block);
    bool isOfReset = held && llvm::is_contained(op.getBuffers(), held->origin->getOperand(0));
    if (isOfReset && pipeOf(transfer.copy) && transfer.states == InFlightState)
      return failAt(op, *held,
                    "this resets '" + bufferName(held->origin) + "' while the " +
                        (transfer.copy.isReceive() ? "receive into " : "send of ") +
                        describe(*held) + " in " + describeLine(transfer.copy.getLoc()) +
                        " is under way: wait for it before the reset");
    if (transfer.states != Completed && !pipeOf(transfer.copy))
      transfer.states = Landed;
  }
  for (Value buffer : op.getBuffers())
    for (unsigned reserved : {0, 1})
      state.held.erase(BlockQueue{buffer, reserved});
  return true;
}
