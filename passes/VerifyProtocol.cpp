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
// block with a copy in flight; waiting twice for a copy; blocks and handles passed
// through loops or branches. Warns about blocks popped unread.
//===--------------------------------------------------------------------------===//

#include "passes/Support/BlockStates.h"
#include "passes/Support/Copies.h"
#include "passes/Support/Describe.h"
#include "passes/Support/Expressions.h"
#include "passes/Support/Threads.h"
#include "passes/VerifyPipes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYPROTOCOL
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Findings
//===--------------------------------------------------------------------------===//

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
  bool checkResults(Operation *op);

  bool acquire(Operation *op);
  bool release(Operation *op);
  bool copy(ttl::CopyOp op);
  bool wait(ttl::WaitOp op);
  bool barrier(ttl::DMABarrierOp op);
  bool read(Operation *acquire, Operation *by, StringRef what);
  bool write(Operation *acquire, Operation *by, StringRef what, bool mayOverwrite);
  bool notLocked(Operation *acquire, Operation *by, StringRef what, bool reading);
  bool notReleased(Operation *acquire, Operation *by, StringRef what);
  bool releasable(Operation *acquire, Operation *by, StringRef what);
  bool pathsAgree(const BlockStates &a, const BlockStates &b, Operation *where);

  /// Records an error; false, so that checks end there.
  Finding &fail(Operation *op, const Twine &message) {
    findings.push_back({op, message.str(), {}, true});
    return findings.back();
  }
  bool failAt(Operation *op, Operation *acquire, const Twine &message);

  BlockStates state;
  DenseMap<Operation *, Operation *> releasedAt;
  /// States in which a loop was entered so far.
  DenseMap<Operation *, BlockStates> entries;
  SmallVector<Finding> findings;
};

bool ThreadVerifier::failAt(Operation *op, Operation *acquire, const Twine &message) {
  Finding &finding = fail(op, message);
  finding.notes.push_back({acquire, "acquired here"});
  if (Operation *release = releasedAt.lookup(acquire); release && !state.holds(acquire))
    finding.notes.push_back({release, "released here"});
  return false;
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
  // What this block of the program acquired must have been released in it.
  for (auto &[queue, acquires] : state.held)
    for (Operation *acquire : acquires)
      if (acquire->getBlock() == &block) {
        Operation *parent = block.getParentOp();
        StringRef where = isa<LoopLikeOpInterface>(parent)                ? "iteration"
                          : isa<scf::IfOp>(parent)                        ? "branch"
                          : isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(parent) ? "callback"
                                                                          : "thread";
        fail(acquire, describeBlock(acquire) + " is still held at the end of the " + where +
                          " that acquires it: write " + releaseText(acquire) +
                          " on every path");
        return false;
      }
  return true;
}

bool ThreadVerifier::checkResults(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    llvm::append_range(types, region.getArgumentTypes());
  for (Type type : types) {
    if (!isa<ttl::BlockType, ttl::TransferHandleType>(type))
      continue;
    StringRef what = isa<ttl::BlockType>(type) ? "a block" : "a transfer handle";
    fail(op, what + Twine(" is passed through a loop or branch: acquire and release (start and "
                          "wait for) it on the same path, in the same iteration"));
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
    return barrier(barrierOp);
  if (auto store = dyn_cast<ttl::BlockStoreOp>(op))
    if (!write(acquireOf(store.getDst()), store, "store into",
               /*mayOverwrite=*/store.getAccumulate() != nullptr))
      return false;
  for (OpOperand &operand : op.getOpOperands()) {
    auto store = dyn_cast<ttl::BlockStoreOp>(op);
    if (isa<ttl::BlockType>(operand.get().getType()) &&
        (isExpression(&op) || (store && &operand == &store.getSrcMutable())) &&
        !read(acquireOf(operand.get()), &op, "read"))
      return false;
  }
  if (!checkResults(&op))
    return false;
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return visitIf(conditional);
  return op.getNumRegions() ? visitLoop(&op) : true;
}

// The two states at the place where paths meet must hold the same blocks.
bool ThreadVerifier::pathsAgree(const BlockStates &a, const BlockStates &b, Operation *where) {
  Operation *acquire = heldInOneOnly(a, b);
  if (!acquire)
    return true;
  Operation *release = releasedAt.lookup(acquire);
  if (!isa<scf::IfOp>(where)) {
    bool loop = isa<LoopLikeOpInterface>(where);
    StringRef what = loop ? "the loop" : "the callback";
    Finding &finding =
        fail(acquire, describeBlock(acquire) + " is acquired before " + what + " in " +
                          describeLine(where->getLoc()) + " and released inside it: write " +
                          releaseText(acquire) + " after " + what);
    if (release)
      finding.notes.push_back({release, loop ? "released here in every iteration"
                                             : "released here once per pipe"});
    return false;
  }
  StringRef path = a.holds(acquire) ? "true" : "false";
  Finding &finding =
      fail(acquire, describeBlock(acquire) +
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
  BlockStates afterThen = std::exchange(state, std::move(before));
  if (!visit(op.getElseRegion()))
    return false;
  if (!pathsAgree(afterThen, state, op))
    return false;
  state.join(afterThen);
  return true;
}

// Runs the body once for each growth of the entry state; only what the last run
// found counts.
bool ThreadVerifier::visitLoop(Operation *op) {
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
  return true;
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

bool ThreadVerifier::acquire(Operation *op) {
  SmallVector<Operation *> &held = state.held[BlockStates::queueOf(op)];
  int64_t blocks = cast<ttl::CircularBufferType>(op->getOperand(0).getType()).getBufferFactor();
  if (static_cast<int64_t>(held.size()) >= blocks) {
    Finding &finding = fail(op, "acquires one block more of '" + bufferName(op) +
                                    "' than it has (" + Twine(blocks) + "): this waits for ever; "
                                    "release an older one first, or make the buffer with a larger "
                                    "block_count");
    for (Operation *older : held)
      finding.notes.push_back({older, "still held"});
    return false;
  }
  held.push_back(op);
  state.blocks[op] = isa<ttl::CBWaitOp>(op) ? MustBeRead : MustBeWritten;
  return true;
}

bool ThreadVerifier::notReleased(Operation *acquire, Operation *by, StringRef what) {
  if (state.blocks.lookup(acquire) != Released)
    return true;
  return failAt(by, acquire, "cannot " + what + " " + describeBlock(acquire) +
                                 ": it was released already");
}

// Copies out of a block do not disturb reading it.
bool ThreadVerifier::notLocked(Operation *acquire, Operation *by, StringRef what, bool reading) {
  ttl::CopyOp copy = state.lockOf(acquire, /*into=*/true);
  if (!copy && !reading)
    copy = state.lockOf(acquire, /*into=*/false);
  if (!copy)
    return true;
  Finding &finding =
      fail(by, "copy lock error: cannot " + what + " " + describeBlock(acquire) +
                   " while a copy " + (fillsBlock(copy) ? "into" : "out of") +
                   " it is in flight: wait for the copy first");
  finding.notes.push_back({copy, "the copy starts here"});
  return false;
}

bool ThreadVerifier::read(Operation *acquire, Operation *by, StringRef what) {
  if (!notReleased(acquire, by, what) || !notLocked(acquire, by, what, /*reading=*/true))
    return false;
  unsigned &states = state.blocks[acquire];
  if (states == MustBeWritten)
    return failAt(by, acquire, "cannot " + what + " " + describeBlock(acquire) + ": " +
                                   describeStates(states) + ", so it holds garbage");
  states = ReadWrite;
  return true;
}

bool ThreadVerifier::write(Operation *acquire, Operation *by, StringRef what, bool mayOverwrite) {
  if (!notReleased(acquire, by, what) || !notLocked(acquire, by, what, /*reading=*/false))
    return false;
  unsigned &states = state.blocks[acquire];
  if (states == MustBeRead && !mayOverwrite)
    return failAt(by, acquire, "cannot " + what + " " + describeBlock(acquire) + ": " +
                                   describeStates(states));
  states = MustBeRead;
  return true;
}

bool ThreadVerifier::releasable(Operation *acquire, Operation *by, StringRef what) {
  bool pops = isa<ttl::CBPopOp>(by);
  if (pops != isa<ttl::CBWaitOp>(acquire))
    return failAt(by, acquire, "cannot " + what + " " + describeBlock(acquire) + ": it was " +
                                   (pops ? "reserved" : "waited for") + ", which " +
                                   releaseText(acquire) + " ends");
  if (!notReleased(acquire, by, what))
    return false;
  // A copy that nobody waits for is completed here.
  for (auto &[op, states] : state.copies)
    if (op->use_empty())
      states = Completed;
  if (!notLocked(acquire, by, what, /*reading=*/false))
    return false;
  Operation *oldest = state.held[BlockStates::queueOf(acquire)].front();
  if (oldest == acquire)
    return true;
  Finding &finding = fail(by, "cannot " + what + " " + describeBlock(acquire) + " before " +
                                  describeBlock(oldest) +
                                  ", which was acquired earlier: release them in that order");
  finding.notes.push_back({acquire, "acquired here"});
  finding.notes.push_back({oldest, "the older one is acquired here"});
  return false;
}

bool ThreadVerifier::release(Operation *op) {
  Operation *acquire = acquireOf(op->getOperand(0));
  bool pops = isa<ttl::CBPopOp>(op);
  StringRef what = pops ? "pop" : "push";
  if (!releasable(acquire, op, what))
    return false;
  unsigned &states = state.blocks[acquire];
  if (!pops && states == MustBeWritten)
    return failAt(op, acquire,
                  "cannot push " + describeBlock(acquire) + ": " + describeStates(states));
  if (pops && states == MustBeRead)
    findings.push_back({op,
                        "pops " + describeBlock(acquire) + " though nobody read it",
                        {{acquire, "acquired here"}},
                        /*isError=*/false});
  states = Released;
  SmallVector<Operation *> &held = state.held[BlockStates::queueOf(acquire)];
  held.erase(held.begin());
  releasedAt[acquire] = op;
  return true;
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

bool ThreadVerifier::copy(ttl::CopyOp op) {
  Operation *acquire = acquireOf(blockOf(op));
  if (fillsBlock(op) ? !write(acquire, op, "copy into", /*mayOverwrite=*/false)
                  : !read(acquire, op, "copy from"))
    return false;
  state.copies[op] = InFlight;
  return true;
}

bool ThreadVerifier::wait(ttl::WaitOp op) {
  auto copy = op.getXf().getDefiningOp<ttl::CopyOp>();
  unsigned &states = state.copies[copy];
  if (states == Completed) {
    Finding &finding = fail(op, "waits twice for the same copy");
    finding.notes.push_back({copy, "the copy starts here"});
    return false;
  }
  states = Completed;
  return true;
}

bool ThreadVerifier::barrier(ttl::DMABarrierOp op) {
  for (auto &[operation, states] : state.copies) {
    auto copy = cast<ttl::CopyOp>(operation);
    Type far = copy.isRead() ? copy.getSrc().getType() : copy.getDst().getType();
    bool waitedFor = copy.isRead() ? op.waitsForReads() : op.waitsForWrites();
    // Transfers through pipes end with a signal, not on the NoC.
    if ((states & InFlight) && waitedFor && !op.getId() && isa<ttl::TensorSliceType>(far))
      states = (states & ~InFlight) | PassedBarrier;
  }
  return true;
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
