//===- VerifyProtocol.cpp - ttl-verify-protocol ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: blocks are acquired, written, read and released in an order that the
// hardware does not check.
//
// 1. Every buffer has one producing and at most one consuming thread, and whoever
//    waits for a block has a producer.
// 2. Follow each thread through its branches and loops with the set of states in
//    which each block can be. Loops are followed until the sets do not grow any
//    more.
// 3. Report what breaks a rule in every state of the set; the rest is checked
//    when the kernel runs.
//
// Rejects: a buffer with two producers, two consumers or none to produce; a block
// that is held on one of two paths that meet, or at the end of an iteration; more
// blocks held than the buffer has; a release of the wrong kind, of a released
// block, of a younger block before an older one; reading what nobody wrote;
// overwriting what nobody read; any use after the release; use or release of a
// block with a copy in flight; waiting twice for a copy; blocks that loops or
// branches of a compute thread hand on, and blocks and handles that scf.while does;
// using one that was handed on under its old name. Warns about blocks popped unread.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "passes/ttl/BlockStates.h"
#include "passes/common/Copies.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"
#include "passes/common/VerifyPipes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYPROTOCOL
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Findings
//===--------------------------------------------------------------------------===//

constexpr const char *kUnwritten = "nobody has written it since it was reserved";

struct Finding {
  Operation *op;
  std::string message;
  SmallVector<std::pair<Operation *, std::string>> notes;
  bool isError = true;
};

void report(const Finding &finding) {
  InFlightDiagnostic diagnostic =
      finding.isError ? finding.op->emitError() : finding.op->emitWarning();
  diagnostic << finding.message;
  for (auto &[op, note] : finding.notes)
    diagnostic.attachNote(op->getLoc()) << note;
}

//===--------------------------------------------------------------------------===//
// One thread
//===--------------------------------------------------------------------------===//

class ThreadVerifier {
public:
  LogicalResult run(Region &body);

private:
  bool visit(Region &region);
  bool visit(Block &block);
  bool visit(Operation &op);
  bool visitIf(scf::IfOp op);
  bool visitLoop(Operation *op);
  bool useBlocks(Operation *op);
  bool checkResults(Operation *op);

  bool acquire(Operation *op);
  bool release(Operation *op);
  bool copy(ttl::CopyOp op);
  bool wait(ttl::WaitOp op);
  void barrier(ttl::DMABarrierOp op);
  bool read(Value block, Operation *by, StringRef what);
  bool write(Value block, Operation *by, StringRef what, bool mayOverwrite);
  bool notLocked(Value block, Operation *by, StringRef what, bool reading);
  bool notReleased(Value block, Operation *by, StringRef what);
  bool releasable(Value block, Operation *by, StringRef what);
  bool pathsAgree(const BlockStates &a, const BlockStates &b, Operation *where);

  /// Records an error; false, so that checks end there.
  Finding &fail(Operation *op, const Twine &message) {
    findings.push_back({op, message.str(), {}, true});
    return findings.back();
  }
  bool failAt(Operation *op, Value block, const Twine &message);

  /// What the acquire made it and how messages speak of it.
  Operation *origin(Value block) { return origins.lookup(block); }
  std::string describe(Value block) { return describeBlock(origin(block)); }
  void rename(ValueRange from, ValueRange to);

  BlockStates state;
  DenseMap<Value, Operation *> origins, releasedAt;
  /// States in which a loop was entered so far.
  DenseMap<Operation *, BlockStates> entries;
  SmallVector<Finding> findings;
};

bool ThreadVerifier::failAt(Operation *op, Value block, const Twine &message) {
  Finding &finding = fail(op, message);
  finding.notes.push_back({origin(block), "acquired here"});
  if (Operation *release = releasedAt.lookup(block); release && !state.holds(block))
    finding.notes.push_back({release, "released here"});
  return false;
}

void ThreadVerifier::rename(ValueRange from, ValueRange to) {
  for (auto [name, other] : llvm::zip(from, to))
    if (Operation *acquire = origin(name))
      origins.try_emplace(other, acquire);
  state.rename(from, to);
}

LogicalResult ThreadVerifier::run(Region &body) {
  visit(body);
  DenseSet<std::pair<Operation *, StringRef>> reported;
  bool failed = false;
  for (const Finding &finding : findings) {
    if (!reported.insert({finding.op, finding.message}).second)
      continue;
    report(finding);
    failed |= finding.isError;
  }
  return failure(failed);
}

//===--------------------------------------------------------------------------===//
// Control flow: each visit returns false where following the thread further would
// only report consequences
//===--------------------------------------------------------------------------===//

bool ThreadVerifier::visit(Region &region) {
  return llvm::all_of(region, [&](Block &block) { return visit(block); });
}

bool ThreadVerifier::visit(Block &block) {
  for (Operation &op : block)
    if (!visit(op))
      return false;
  // What has its name in this block of the program must have been released in it, or
  // be handed on.
  SmallVector<Value> handedOn;
  if (block.mightHaveTerminator())
    llvm::append_range(handedOn, block.getTerminator()->getOperands());
  for (auto &[queue, values] : state.held)
    for (Value value : values)
      if (value.getParentBlock() == &block && !llvm::is_contained(handedOn, value)) {
        Operation *parent = block.getParentOp();
        StringRef where = isa<LoopLikeOpInterface>(parent)                ? "iteration"
                           : isa<scf::IfOp>(parent)                        ? "branch"
                           : isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(parent) ? "callback"
                                                                             : "thread";
        fail(origin(value), describe(value) + " is still held at the end of the " + where +
                                " that acquires it: write " + releaseText(origin(value)) +
                                " on every path");
        return false;
      }
  return true;
}

bool ThreadVerifier::checkResults(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    llvm::append_range(types, region.getArgumentTypes());
  bool moves = op->getParentOfType<ttl::DataMovementThreadOp>() != nullptr;
  for (Type type : types) {
    if (isa<ttl::BlockType>(type) && moves && isa<scf::ForOp, scf::IfOp>(op))
      continue;
    if (isa<ttl::BlockType>(type))
      fail(op, "a block is passed through a loop or branch: acquire and release it on the same "
               "path, in the same iteration");
    else if (isa<ttl::TransferHandleType>(type) && !isa<scf::ForOp, scf::IfOp>(op))
      fail(op, "a transfer handle is passed through a while loop: start and wait for the copy in "
               "the same iteration, or use 'for'");
    else
      continue;
    return false;
  }
  return true;
}

bool ThreadVerifier::visit(Operation &op) {
  if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
    return acquire(&op);
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
    return release(&op);
  if (auto copyOp = dyn_cast<ttl::CopyOp>(op))
    return copy(copyOp);
  if (auto waitOp = dyn_cast<ttl::WaitOp>(op))
    return wait(waitOp);
  if (auto barrierOp = dyn_cast<ttl::DMABarrierOp>(op))
    barrier(barrierOp);
  if (!useBlocks(&op) || !checkResults(&op))
    return false;
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return visitIf(conditional);
  return op.getNumRegions() ? visitLoop(&op) : true;
}

// What the op says it reads and writes, reads first.
bool ThreadVerifier::useBlocks(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  // Other ops than ttl.block_store write a block tile by tile.
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

// The two states at the place where paths meet must hold the same blocks.
bool ThreadVerifier::pathsAgree(const BlockStates &a, const BlockStates &b, Operation *where) {
  Value block = heldInOneOnly(a, b);
  if (!block) {
    if (Value other = heldInOtherOrder(a, b))
      return failAt(where, other, describe(other) + " is handed on in another order than the "
                                                    "blocks were acquired in");
    return true;
  }
  Operation *acquire = origin(block), *release = releasedAt.lookup(block);
  if (!isa<scf::IfOp>(where)) {
    bool loop = isa<LoopLikeOpInterface>(where);
    StringRef what = loop ? "the loop" : "the callback";
    Finding &finding =
        fail(acquire, describe(block) + " is acquired before " + what + " in " +
                          describeLine(where->getLoc()) + " and released inside it: write " +
                          releaseText(acquire) + " after " + what);
    if (release)
      finding.notes.push_back({release, loop ? "released here in every iteration"
                                             : "released here once per pipe"});
    return false;
  }
  StringRef path = a.holds(block) ? "true" : "false";
  Finding &finding =
      fail(acquire, describe(block) +
                        " is released on some paths only: not where the condition in " +
                        describeLine(where->getLoc()) + " is " + path + "; write " +
                        releaseText(acquire) + " there too");
  if (release)
    finding.notes.push_back({release, "released here"});
  finding.notes.push_back({where, "the condition"});
  return false;
}

bool ThreadVerifier::visitIf(scf::IfOp op) {
  BlockStates before = state;
  if (!visit(op.getThenRegion()))
    return false;
  if (op.getNumResults())
    rename(op.thenYield().getResults(), op.getResults());
  BlockStates afterThen = std::exchange(state, std::move(before));
  if (!visit(op.getElseRegion()))
    return false;
  if (op.getNumResults())
    rename(op.elseYield().getResults(), op.getResults());
  if (!pathsAgree(afterThen, state, op))
    return false;
  state.join(afterThen);
  return true;
}

// Runs the body once for each growth of the entry state; only what the last run
// found counts.
bool ThreadVerifier::visitLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop)
    rename(loop.getInitArgs(), loop.getRegionIterArgs());
  auto [it, first] = entries.try_emplace(op, state);
  BlockStates entry = state;
  if (!first)
    entry.join(it->second);
  size_t known = findings.size();
  while (true) {
    findings.truncate(known);
    state = entry;
    for (Region &region : op->getRegions())
      if (!visit(region))
        return false;
    if (loop)
      rename(loop.getYieldedValues(), loop.getRegionIterArgs());
    if (!pathsAgree(entry, state, op))
      return false;
    BlockStates grown = entry;
    bool changed = grown.join(state);
    entry = std::move(grown);
    if (!changed)
      break;
  }
  entries[op] = entry;
  // Left before the first iteration or after any.
  state = entry;
  if (loop)
    rename(loop.getRegionIterArgs(), loop.getResults());
  return true;
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

bool ThreadVerifier::acquire(Operation *op) {
  SmallVector<Value> &held = state.held[BlockStates::queueOf(op)];
  int64_t blocks = cast<ttl::CircularBufferType>(op->getOperand(0).getType()).getBufferFactor();
  if (static_cast<int64_t>(held.size()) >= blocks) {
    Finding &finding = fail(op, "acquires one block more of '" + bufferName(op) +
                                    "' than it has (" + Twine(blocks) + "): this waits for ever; "
                                    "release an older one first, or make the buffer with a larger "
                                    "block_count");
    for (Value older : held)
      finding.notes.push_back({origin(older), "still held"});
    return false;
  }
  Value block = op->getResult(0);
  held.push_back(block);
  origins[block] = op;
  state.blocks[block] = isa<ttl::CBWaitOp>(op) ? MustBeRead : MustBeWritten;
  return true;
}

bool ThreadVerifier::notReleased(Value block, Operation *by, StringRef what) {
  if (!state.blocks.count(block)) {
    fail(by, "cannot " + what + " a block that was handed on to a loop or branch: use what these "
                                "make of it");
    return false;
  }
  if (state.blocks.lookup(block) != Released)
    return true;
  return failAt(by, block, "cannot " + what + " " + describe(block) +
                               ": it was released already");
}

// Copies out of a block do not disturb reading it.
bool ThreadVerifier::notLocked(Value block, Operation *by, StringRef what, bool reading) {
  ttl::CopyOp copy = state.lockOf(block, /*into=*/true);
  if (!copy && !reading)
    copy = state.lockOf(block, /*into=*/false);
  if (!copy)
    return true;
  Finding &finding = fail(by, "copy lock error: cannot " + what + " " + describe(block) +
                                  " while a copy " + (fillsBlock(copy) ? "into" : "out of") +
                                  " it is in flight: wait for the copy first");
  finding.notes.push_back({copy, "the copy starts here"});
  return false;
}

bool ThreadVerifier::read(Value block, Operation *by, StringRef what) {
  if (!notReleased(block, by, what) || !notLocked(block, by, what, /*reading=*/true))
    return false;
  unsigned &states = state.blocks[block];
  if (states == MustBeWritten)
    return failAt(by, block, "cannot " + what + " " + describe(block) + ": " + kUnwritten +
                                 ", so it holds garbage");
  states = ReadWrite;
  return true;
}

bool ThreadVerifier::write(Value block, Operation *by, StringRef what, bool mayOverwrite) {
  if (!notReleased(block, by, what) || !notLocked(block, by, what, /*reading=*/false))
    return false;
  unsigned &states = state.blocks[block];
  if (states == MustBeRead && !mayOverwrite)
    return failAt(by, block, "cannot " + what + " " + describe(block) +
                                 ": what it holds has not been read yet");
  states = MustBeRead;
  return true;
}

bool ThreadVerifier::releasable(Value block, Operation *by, StringRef what) {
  if (!notReleased(block, by, what))
    return false;
  bool pops = isa<ttl::CBPopOp>(by);
  if (pops != isa<ttl::CBWaitOp>(origin(block)))
    return failAt(by, block, "cannot " + what + " " + describe(block) + ": it was " +
                                 (pops ? "reserved" : "waited for") + ", which " +
                                 releaseText(origin(block)) + " ends");
  // A copy that nobody waits for is completed here.
  for (auto &[handle, transfer] : state.transfers)
    if (handle.use_empty() && handle.getDefiningOp<ttl::CopyOp>())
      transfer.states = Completed;
  if (!notLocked(block, by, what, /*reading=*/false))
    return false;
  Value oldest = state.held[BlockStates::queueOf(origin(block))].front();
  if (oldest == block)
    return true;
  Finding &finding = fail(by, "cannot " + what + " " + describe(block) + " before " +
                                  describe(oldest) +
                                  ", which was acquired earlier: release them in that order");
  finding.notes.push_back({origin(block), "acquired here"});
  finding.notes.push_back({origin(oldest), "the older one is acquired here"});
  return false;
}

bool ThreadVerifier::release(Operation *op) {
  Value block = op->getOperand(0);
  bool pops = isa<ttl::CBPopOp>(op);
  StringRef what = pops ? "pop" : "push";
  if (!releasable(block, op, what))
    return false;
  unsigned &states = state.blocks[block];
  if (!pops && states == MustBeWritten)
    return failAt(op, block, "cannot push " + describe(block) + ": " + kUnwritten);
  if (pops && states == MustBeRead)
    findings.push_back({op,
                        "pops " + describe(block) + " though nobody read it",
                        {{origin(block), "acquired here"}},
                        /*isError=*/false});
  states = Released;
  SmallVector<Value> &held = state.held[BlockStates::queueOf(origin(block))];
  held.erase(held.begin());
  releasedAt[block] = op;
  return true;
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

bool ThreadVerifier::copy(ttl::CopyOp op) {
  Value block = blockOf(op);
  if (fillsBlock(op) ? !write(block, op, "copy into", /*mayOverwrite=*/false)
                     : !read(block, op, "copy from"))
    return false;
  state.transfers[op.getXf()] = {op, block, InFlight};
  return true;
}

bool ThreadVerifier::wait(ttl::WaitOp op) {
  auto it = state.transfers.find(op.getXf());
  if (it == state.transfers.end()) {
    fail(op, "waits for a copy whose handle was handed on to a loop or branch: wait for what "
             "these make of it");
    return false;
  }
  BlockStates::Transfer &transfer = it->second;
  if (transfer.states == Completed) {
    Finding &finding = fail(op, "waits twice for the same copy");
    finding.notes.push_back({transfer.copy, "the copy starts here"});
    return false;
  }
  transfer.states = Completed;
  return true;
}

void ThreadVerifier::barrier(ttl::DMABarrierOp op) {
  if (op.getId())
    return;
  for (auto &[handle, transfer] : state.transfers) {
    ttl::CopyOp copy = transfer.copy;
    Type far = copy.isRead() ? copy.getSrc().getType() : copy.getDst().getType();
    // Transfers through pipes end with a signal, not on the NoC.
    if (transfer.states != Completed && isa<ttl::TensorSliceType>(far) &&
        (copy.isRead() ? op.waitsForReads() : op.waitsForWrites()))
      transfer.states = Landed;
  }
}

//===--------------------------------------------------------------------------===//
// Between threads
//===--------------------------------------------------------------------------===//

// The first acquire of each kind in each thread, by buffer.
using Users = llvm::MapVector<Value, SmallVector<Operation *>>;

template <typename AcquireOp> Users collectUsers(ttl::KernelOp kernel) {
  Users users;
  for (Operation &thread : kernel.getBody().front()) {
    DenseSet<Value> seen;
    thread.walk([&](AcquireOp op) {
      if (seen.insert(op.getCb()).second)
        users[op.getCb()].push_back(op);
    });
  }
  return users;
}

LogicalResult verifyOne(const Users &users, StringRef verb) {
  for (auto &[buffer, acquires] : users) {
    if (acquires.size() < 2)
      continue;
    InFlightDiagnostic diagnostic =
        acquires[1]->emitError() << "two threads " << verb << " '" << bufferName(acquires[1])
                                 << "': a buffer has one producer and one consumer; use a buffer "
                                    "for each";
    diagnostic.attachNote(acquires[0]->getLoc()) << "the first one is here";
    return diagnostic;
  }
  return success();
}

LogicalResult verifyPartners(ttl::KernelOp kernel) {
  Users producers = collectUsers<ttl::CBReserveOp>(kernel);
  Users consumers = collectUsers<ttl::CBWaitOp>(kernel);
  if (failed(verifyOne(producers, "produce")) || failed(verifyOne(consumers, "consume")))
    return failure();
  for (auto &[buffer, acquires] : consumers)
    if (!producers.count(buffer))
      return acquires[0]->emitError()
             << "waits for a block of '" << bufferName(acquires[0])
             << "', but no thread produces any: reserve and push blocks of it in another thread";
  return success();
}

struct VerifyProtocol : ttjit::impl::TTLVerifyProtocolBase<VerifyProtocol> {
  void runOnOperation() override {
    bool ok = true;
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      bool partners = succeeded(verifyPartners(kernel));
      if (failed(verifyPipes(kernel)) || !partners) {
        ok = false;
        continue;
      }
      for (Operation &thread : kernel.getBody().front())
        for (Region &region : thread.getRegions())
          ok &= succeeded(ThreadVerifier().run(region));
    }
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
