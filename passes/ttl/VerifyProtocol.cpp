//===- VerifyProtocol.cpp - ttl-verify-protocol ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: blocks are acquired, written, read and released in an order that the
// hardware does not check.
//
// 1. Every buffer has one producing and at most one consuming thread, and whoever
//    waits for a block has a producer.
// 2. Find, before each op of a thread, the set of states in which each block can be:
//    a dense forward analysis that applies the rules of BlockRules.h. It keeps two
//    sets: the states of all paths, and those of the first iteration of all loops
//    around the op, in which more is certain.
// 3. Go through the thread in program order and report the first op that breaks a rule
//    in every state of one of its sets, or the first place where paths meet that hold
//    different blocks. What depends on the path is checked when the kernel runs.
//
// Rejects: a buffer with two producers, two consumers or none to produce; a block
// that is held on one of two paths that meet, or at the end of an iteration; more
// blocks held than the buffer has; a release of the wrong kind, of a released
// block, of a younger block before an older one; reading what nobody wrote;
// overwriting what nobody read; any use after the release; use or release of a
// block with a copy in flight; waiting twice for a copy; blocks that loops or
// branches of a compute thread hand on, and blocks that scf.while does; using one that
// was handed on under its old name. Warns about blocks popped unread.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"
#include "passes/common/VerifyPipes.h"
#include "passes/ttl/BlockRules.h"
#include "passes/ttl/ProtocolStates.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYPROTOCOL
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// The report of one thread: each function returns false after an error, because what
// follows it would only report consequences
//===--------------------------------------------------------------------------===//

/// What a path holds where it meets others.
struct Path {
  BlockStates states;
  std::optional<unsigned> from; ///< the region it comes from
};

class ThreadReport {
public:
  explicit ThreadReport(Operation *thread) : thread(thread), states(thread) {}

  bool run() { return checkRegions(thread); }

private:
  bool checkRegions(Operation *op);
  bool check(Block &block);
  bool check(Operation *op);
  bool checkRules(Operation *op);
  bool checkCarried(Operation *op);
  bool checkMeetings(RegionBranchOpInterface branch);
  bool checkMeeting(RegionBranchOpInterface branch, const RegionSuccessor &place);
  bool agree(RegionBranchOpInterface branch, const Path &a, const Path &b);
  bool checkEnd(Block &block);
  bool report(const Finding &finding);
  bool reportMissing(RegionBranchOpInterface branch, const Path &holds, Value block);
  bool reportOrder(RegionBranchOpInterface branch, const BlockStates &holds,
                   std::pair<Value, Value> blocks);

  Operation *thread;
  ProtocolStates states;
};

bool ThreadReport::report(const Finding &finding) {
  InFlightDiagnostic diagnostic =
      finding.isError ? finding.op->emitError() : finding.op->emitWarning();
  diagnostic << finding.message;
  for (auto &[op, note] : finding.notes)
    diagnostic.attachNote(op->getLoc()) << note;
  return !finding.isError;
}

bool ThreadReport::checkRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!check(block))
        return false;
  return true;
}

bool ThreadReport::check(Block &block) {
  return llvm::all_of(block, [&](Operation &op) { return check(&op); }) && checkEnd(block);
}

bool ThreadReport::check(Operation *op) {
  if (!checkRules(op))
    return false;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return !branch || (checkCarried(op) && checkRegions(op) && checkMeetings(branch));
}

// An error may be certain in the first iteration only; a warning is for all of them.
bool ThreadReport::checkRules(Operation *op) {
  const ProtocolStates::Point *before = states.before(op);
  if (!before)
    return true;
  for (const ProtocolStates::States *known : {&before->first, &before->any}) {
    if (!*known)
      continue;
    BlockStates state = **known;
    BlockRules rules(state);
    rules.apply(op);
    for (const Finding &finding : rules.getFindings())
      if ((finding.isError || known == &before->any) && !report(finding))
        return false;
  }
  return true;
}

bool ThreadReport::checkCarried(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    llvm::append_range(types, region.getArgumentTypes());
  bool moves = isa<ttl::DataMovementThreadOp>(thread), follows = isa<scf::ForOp, scf::IfOp>(op);
  if ((moves && follows) || llvm::none_of(types, llvm::IsaPred<ttl::BlockType>))
    return true;
  return report({op,
                 "a block is passed through a loop or branch: acquire and release it on the "
                 "same path, in the same iteration",
                 {}});
}

StringRef nameOfBody(Operation *parent) {
  if (isa<LoopLikeOpInterface>(parent))
    return "iteration";
  if (isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(parent))
    return "callback";
  return isa<scf::IfOp>(parent) ? "branch" : "thread";
}

// What has its name in this block of the program must have been released in it, or be
// handed on.
bool ThreadReport::checkEnd(Block &block) {
  const ProtocolStates::Point *end = states.atEnd(block);
  if (!end)
    return true;
  SmallVector<Value> handedOn;
  if (block.mightHaveTerminator())
    llvm::append_range(handedOn, block.getTerminator()->getOperands());
  for (auto &[queue, blocks] : end->any->held)
    for (BlockStates::Held held : blocks)
      if (held.block.getParentBlock() == &block && !llvm::is_contained(handedOn, held.block))
        return report({held.origin,
                       (describeBlock(held.origin) + " is still held at the end of the " +
                        nameOfBody(block.getParentOp()) + " that acquires it: write " +
                        releaseText(held.origin) + " on every path")
                           .str(),
                       {}});
  return true;
}

//===--------------------------------------------------------------------------===//
// Where paths meet
//===--------------------------------------------------------------------------===//

// Every place to which control flow leads: the regions, and what follows.
bool ThreadReport::checkMeetings(RegionBranchOpInterface branch) {
  for (Region &region : branch->getRegions())
    if (!region.empty() && !checkMeeting(branch, RegionSuccessor(&region)))
      return false;
  return checkMeeting(branch, RegionSuccessor(branch, branch->getResults()));
}

bool ThreadReport::checkMeeting(RegionBranchOpInterface branch, const RegionSuccessor &place) {
  auto numberOf = [](Region *region) { return region->getRegionNumber(); };
  std::optional<unsigned> to;
  if (!place.isParent())
    to = numberOf(place.getSuccessor());
  SmallVector<RegionBranchPoint> points;
  branch.getPredecessors(place, points);
  std::optional<Path> known;
  for (RegionBranchPoint point : points) {
    Operation *terminator = point.getTerminatorPredecessorOrNull();
    auto *end = terminator ? states.after(terminator) : states.before(branch);
    if (!end)
      continue;
    Path path{*end->any, {}};
    if (terminator)
      path.from = numberOf(terminator->getParentRegion());
    ForwardedValues values = forwardedAlong(branch, path.from, to);
    path.states.rename(values.from, values.to);
    if (known && !agree(branch, *known, path))
      return false;
    known = std::move(path);
  }
  return true;
}

bool ThreadReport::agree(RegionBranchOpInterface branch, const Path &a, const Path &b) {
  if (Value block = heldInFirstOnly(a.states, b.states))
    return reportMissing(branch, a, block);
  if (Value block = heldInFirstOnly(b.states, a.states))
    return reportMissing(branch, b, block);
  if (auto blocks = heldInOtherOrder(a.states, b.states); blocks.first)
    return reportOrder(branch, a.states, blocks);
  return true;
}

// Another path has released the block.
bool ThreadReport::reportMissing(RegionBranchOpInterface branch, const Path &holds, Value block) {
  Operation *acquire = holds.states.find(block)->origin;
  std::string line = describeLine(branch->getLoc());
  SmallVector<Operation *> releases = releasesOf(block);
  Finding finding{acquire, describeBlock(acquire), {}};
  if (!isa<scf::IfOp>(branch)) {
    bool loop = isa<LoopLikeOpInterface>(branch.getOperation());
    std::string what = loop ? "the loop" : "the callback";
    finding.message += " is acquired before " + what + " in " + line +
                       " and released inside it: write " + releaseText(acquire).str() + " after " +
                       what;
    if (!releases.empty())
      finding.notes.push_back({releases.front(), loop ? "released here in every iteration"
                                                      : "released here once per pipe"});
    return report(finding);
  }
  finding.message += " is released on some paths only: not where the condition in " + line +
                     " is " + (holds.from == 0 ? "true" : "false") + "; write " +
                     releaseText(acquire).str() + " there too";
  if (!releases.empty())
    finding.notes.push_back({releases.front(), "released here"});
  finding.notes.push_back({branch, "the condition"});
  return report(finding);
}

bool ThreadReport::reportOrder(RegionBranchOpInterface branch, const BlockStates &holds,
                               std::pair<Value, Value> blocks) {
  Operation *one = holds.find(blocks.first)->origin, *other = holds.find(blocks.second)->origin;
  StringRef who = isa<scf::IfOp>(branch) ? "both branches" : "every iteration";
  return report({branch,
                 (who + " must leave blocks in the order in which they were acquired: " +
                  describeBlock(one) + " and " + describeBlock(other) + " are swapped")
                     .str(),
                 {{one, "acquired here"}, {other, "acquired here"}}});
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
        if (thread.getNumRegions())
          ok &= ThreadReport(&thread).run();
    }
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
