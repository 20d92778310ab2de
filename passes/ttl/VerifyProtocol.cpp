//===- VerifyProtocol.cpp - ttl-verify-protocol -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: blocks are acquired, written, read and released in an order that the
// hardware does not check.
//
// 1. Check that every buffer has at most one producing and one consuming thread on each
//    node (BufferUsers.cpp), and a producer if a thread surely waits for a block. Check that
//    the threads reach the same resets (BufferResets.cpp).
// 2. Find, before each op of a thread, the set of states in which each block can be: a
//    dense forward analysis that applies the rules of BlockRules.h. It keeps two sets:
//    the states of all paths, and those of the first iteration of all loops around the
//    op, about which more is certain.
// 3. Go through the thread in program order and report the first op that breaks a rule
//    in every state of one of its sets, or the first point where paths meet that hold
//    different blocks. The device checks at run time the rules that depend on the path.
//
// Rejects: a buffer with two producers, two consumers, or only a consumer; a block that
// is held on one of two paths that meet, or at the end of an iteration; more blocks
// held than the buffer has; a release of the wrong kind, of a released block, or of a
// younger block before an older one; reading a block that no op wrote; overwriting a
// block that no op read; any use after the release; use or release of a block with a
// copy in flight; waiting twice for a copy; blocks that loops or branches of a compute
// thread carry; use of a carried block or
// handle under its old name. Warns about blocks that are popped but not read. With `compile-only`
// it also warns, and does not reject, if a buffer has only a consumer, and if a block is read,
// pushed or overwritten too early: only a run of the kernel would meet that. It always warns if it
// is not certain that a node gets to a wait for blocks that nobody produces.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/common/NodeDomains.h"
#include "passes/common/Threads.h"
#include "passes/common/VerifyPipes.h"
#include "passes/ttl/BlockRules.h"
#include "passes/ttl/BufferResets.h"
#include "passes/ttl/BufferUsers.h"
#include "passes/ttl/CardLimits.h"
#include "passes/ttl/CardRules.h"
#include "passes/ttl/ExternalEffects.h"
#include "passes/ttl/IntegerRegisters.h"
#include "passes/ttl/MixedFormats.h"
#include "passes/ttl/PipeSchedule.h"
#include "passes/ttl/ProtocolStates.h"

#include <tuple>

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYPROTOCOL
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// The report of one thread. Each function returns false after an error, because later
// errors would only be consequences of it
//===--------------------------------------------------------------------------===//

// The blocks that a path holds where it meets other paths.
struct Path {
  BlockStates states;
  std::optional<unsigned> from; // number of the region from which the path comes
};

class ThreadReport {
public:
  ThreadReport(Operation *thread, bool compileOnly)
      : thread(thread), compileOnly(compileOnly), states(thread) {}

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
  bool compileOnly;
  ProtocolStates states;
};

InFlightDiagnostic begin(const Finding &finding, bool isWarning) {
  WarningKind kind = finding.isError ? WarningKind::Kernel : WarningKind::UnusedBlock;
  if (isWarning)
    return finding.place ? emitWarning(kind, *finding.place) : emitWarning(kind, finding.op);
  return finding.place ? mlir::emitError(*finding.place) : finding.op->emitError();
}

bool ThreadReport::report(const Finding &finding) {
  bool isWarning = !finding.isError || (finding.atRunTime && compileOnly);
  InFlightDiagnostic diagnostic = begin(finding, isWarning);
  diagnostic << finding.message;
  for (auto &[op, note] : finding.notes)
    diagnostic.attachNote(op->getLoc()) << note;
  return isWarning;
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

// Returns whether the first iteration of a loop may skip the op, because a condition that may
// change from iteration to iteration decides whether the op runs.
bool mayBeSkippedAtFirst(Operation *op, Operation *thread) {
  SmallVector<Value> conditions;
  for (; op != thread; op = op->getParentOp()) {
    Operation *parent = op->getParentOp();
    if (auto conditional = dyn_cast<scf::IfOp>(parent))
      conditions.push_back(conditional.getCondition());
    if (isa<LoopLikeOpInterface>(parent) && llvm::any_of(conditions, [&](Value condition) {
          return parent->isAncestor(condition.getParentRegion()->getParentOp());
        }))
      return true;
  }
  return false;
}

// Checks an op. An error may be certain in the first iteration only; a warning must hold for all
// iterations.
bool ThreadReport::checkRules(Operation *op) {
  const ProtocolStates::Point *before = states.before(op);
  if (!before)
    return true;
  for (const ProtocolStates::States *known : {&before->first, &before->any}) {
    if (!*known || (known == &before->first && mayBeSkippedAtFirst(op, thread)))
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
  bool moves = isa<ttl::DataMovementThreadOp>(thread),
       follows = isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op);
  if ((moves && follows) || llvm::none_of(types, llvm::IsaPred<ttl::BlockType>))
    return true;
  return report(
      {op,
       "a compute thread cannot pass a block through a loop or branch: acquire and release "
       "it on the same path and in the same iteration, or write a loop over a range of at "
       "most 64 items known at compile time",
       {}});
}

StringRef nameOfBody(Operation *parent) {
  if (isa<LoopLikeOpInterface>(parent))
    return "iteration";
  if (isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(parent))
    return "callback";
  return isa<scf::IfOp>(parent) ? "branch" : "thread";
}

// Checks that each block acquired in this IR block is released in it, or passed on.
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
// Points where paths meet
//===--------------------------------------------------------------------------===//

// Visits every point to which control flow leads: the regions, and the op after the
// branch.
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

StringRef nameOfBranch(Operation *branch) {
  return isa<scf::IfOp>(branch)             ? "the condition"
         : isa<LoopLikeOpInterface>(branch) ? "the loop"
                                            : "the callback";
}

// Returns a reset inside of the branch that drops the blocks of the acquire's buffer; null if there
// is none.
ttl::CBResetOp resetInside(Operation *branch, Operation *acquire) {
  ttl::CBResetOp found;
  branch->walk([&](ttl::CBResetOp reset) {
    if (!found && llvm::is_contained(reset.getBuffers(), acquire->getOperand(0)))
      found = reset;
  });
  return found;
}

// Reports a block that is held on this path, but was released on another path.
bool ThreadReport::reportMissing(RegionBranchOpInterface branch, const Path &holds, Value block) {
  Operation *acquire = holds.states.find(block)->origin;
  std::string line = describeLine(branch->getLoc());
  SmallVector<Operation *> releases = releasesOf(block);
  Finding finding{acquire, describeBlock(acquire), {}};
  ttl::CBResetOp reset = resetInside(branch, acquire);
  if (reset && releases.empty())
    return report({acquire,
                   finding.message + " is held before " + nameOfBranch(branch).str() + " in " +
                       line +
                       ", and a reset inside it drops the block on some paths only: release the "
                       "block before",
                   {{reset, "the reset is here"}}});
  if (!isa<scf::IfOp>(branch)) {
    bool loop = isa<LoopLikeOpInterface>(branch.getOperation());
    std::string what = loop ? "the loop" : "the callback";
    finding.message += " is acquired before " + what + " in " + line +
                       " and released inside it: write " + releaseText(acquire).str() + " after " +
                       what;
    if (!releases.empty())
      finding.notes.push_back(
          {releases.front(), loop ? "the block is released here in every iteration"
                                  : "the block is released here once per pipe"});
    return report(finding);
  }
  finding.message += " is released on some paths only: not where the condition in " + line +
                     " is " + (holds.from == 0 ? "true" : "false") + "; write " +
                     releaseText(acquire).str() + " there too";
  if (!releases.empty())
    finding.notes.push_back({releases.front(), "the block is released here"});
  finding.notes.push_back({branch, "the condition is here"});
  return report(finding);
}

bool ThreadReport::reportOrder(RegionBranchOpInterface branch, const BlockStates &holds,
                               std::pair<Value, Value> blocks) {
  Operation *one = holds.find(blocks.first)->origin, *other = holds.find(blocks.second)->origin;
  StringRef who = isa<scf::IfOp>(branch) ? "both branches" : "every iteration";
  return report(
      {branch,
       ("the blocks held at the end of " + who +
        " must be in the order in which they were acquired, but " + describeBlock(one) + " and " +
        describeBlock(other) + " are swapped: do not exchange the variables that hold them")
           .str(),
       {{one, "the block is acquired here"}, {other, "the block is acquired here"}}});
}

//===--------------------------------------------------------------------------===//
// Rules between threads
//===--------------------------------------------------------------------------===//

// The acquires of one kind, by buffer, in program order.
using OpsOfBuffers = llvm::MapVector<Value, SmallVector<Operation *>>;

template <typename AcquireOp> OpsOfBuffers collectUsers(ttl::KernelOp kernel) {
  OpsOfBuffers users;
  for (Operation &thread : kernel.getBody().front())
    if (ttl::isThread(&thread))
      thread.walk([&](AcquireOp op) { users[op.getCb()].push_back(op); });
  return users;
}

// Reports a mistake that only a run of the kernel would meet.
InFlightDiagnostic emitMistakeOfRun(Operation *op, bool compileOnly) {
  return compileOnly ? emitWarning(WarningKind::Kernel, op) : op->emitError();
}

// Returns how surely some node runs an op.
NodeDomains::Runs runsSomewhere(NodeDomains &domains, Operation *op) {
  NodeDomains::Runs result = NodeDomains::Runs::Never;
  for (int64_t node = 0; node < domains.numNodes(); ++node) {
    std::optional<int64_t> times = domains.times(node, op);
    result = std::max(result, !times   ? NodeDomains::Runs::Perhaps
                              : *times ? NodeDomains::Runs::Always
                                       : NodeDomains::Runs::Never);
  }
  return result;
}

// Reports a wait that no thread answers, if a node surely gets there. Otherwise only a run can
// tell: loops around the wait, and around a producer that was left out, may have no iterations.
LogicalResult reportNoProducer(ArrayRef<Operation *> waits, NodeDomains &domains,
                               bool compileOnly) {
  Operation *wait = nullptr;
  auto runs = NodeDomains::Runs::Never;
  for (Operation *each : waits)
    if (NodeDomains::Runs found = runsSomewhere(domains, each); found > runs)
      std::tie(wait, runs) = std::tuple(each, found);
  if (!wait)
    return success();
  auto buffer = wait->getOperand(0).getDefiningOp<ttl::CreateCBOp>();
  bool isCertain = runs == NodeDomains::Runs::Always;
  InFlightDiagnostic diagnostic = emitMistakeOfRun(wait, compileOnly || !isCertain)
                                  << "this waits for a block of '" << bufferName(wait);
  if (buffer && buffer.isTensorBacked())
    diagnostic << "', but no thread publishes it: call " << bufferName(wait)
               << ".publish() in a data movement thread if the tensor holds the input, or "
                  "reserve and push blocks of it in another thread";
  else
    diagnostic << "', but no thread produces any: reserve and push blocks of it in another thread";
  if (!isCertain)
    diagnostic << "; a node that gets here waits for ever";
  return success(compileOnly || !isCertain);
}

// Checks that a buffer has a producer if a C++ function waits for its pages.
LogicalResult verifyExternal(const ExternalEffects &external, const OpsOfBuffers &producers,
                             const OpsOfBuffers &published, bool compileOnly) {
  for (auto &[queue, call] : external.stated()) {
    Value buffer = queue.first;
    if (queue.second || producers.count(buffer) || published.count(buffer) ||
        external.mayProduce(buffer))
      continue;
    auto create = buffer.getDefiningOp<ttl::CreateCBOp>();
    ttcpp::CallOp op = call;
    emitMistakeOfRun(op, compileOnly)
        << "the effects of '" << op.getCallee() << "' wait for pages of '"
        << (create ? create.getName() : "a buffer")
        << "', but no thread produces any: reserve and push blocks of it in another thread";
    if (!compileOnly)
      return failure();
  }
  return success();
}

LogicalResult verifyPartners(ttl::KernelOp kernel, bool strict, bool compileOnly) {
  OpsOfBuffers producers = collectUsers<ttl::CBReserveOp>(kernel);
  OpsOfBuffers consumers = collectUsers<ttl::CBWaitOp>(kernel);
  if (failed(verifyBufferUsers(kernel, strict)))
    return failure();
  OpsOfBuffers published = collectUsers<ttl::CBPublishOp>(kernel);
  ExternalEffects external(kernel);
  NodeDomains domains(kernel);
  for (auto &[buffer, waits] : consumers)
    if (!producers.count(buffer) && !published.count(buffer) && !external.mayProduce(buffer) &&
        failed(reportNoProducer(waits, domains, compileOnly)))
      return failure();
  return verifyExternal(external, producers, published, compileOnly);
}

bool createdOnTensor(Value buffer) {
  auto create = buffer.getDefiningOp<ttl::CreateCBOp>();
  return create && create.isTensorBacked();
}

// Warns of buffers whose blocks no thread waits for: their contents are lost, unless they stay in
// a tensor. A kernel of one thread, such as a test of reading alone, gets no warning.
void warnUnread(ttl::KernelOp kernel) {
  auto isThread = [](Operation &op) { return op.getNumRegions() != 0; };
  if (llvm::count_if(kernel.getBody().front(), isThread) < 2)
    return;
  OpsOfBuffers consumers = collectUsers<ttl::CBWaitOp>(kernel);
  ExternalEffects external(kernel);
  auto isRead = [&](Value buffer) {
    return consumers.count(buffer) || external.mayConsume(buffer);
  };
  OpsOfBuffers reserved = collectUsers<ttl::CBReserveOp>(kernel);
  for (auto &[buffer, acquires] : reserved)
    if (!isRead(buffer) && !createdOnTensor(buffer))
      emitWarning(WarningKind::UnusedBlock, acquires[0])
          << "this pushes blocks of '" << bufferName(acquires[0])
          << "', but no thread reads it: wait for them in another thread";
  OpsOfBuffers published = collectUsers<ttl::CBPublishOp>(kernel);
  for (auto &[buffer, publishes] : published)
    if (!isRead(buffer))
      emitWarning(WarningKind::UnusedBlock, publishes[0])
          << "this publishes '" << bufferName(publishes[0])
          << "', but no thread reads it: wait for its blocks in another "
             "thread, or leave the call out";
}

struct VerifyProtocol : ttjit::impl::TTLVerifyProtocolBase<VerifyProtocol> {
  using TTLVerifyProtocolBase::TTLVerifyProtocolBase;

  void runOnOperation() override {
    bool ok = true;
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      bool partners = succeeded(verifyPartners(kernel, strict, compileOnly));
      bool resets = succeeded(verifyResets(kernel, portable));
      if (failed(verifyPipes(kernel)) || !partners || !resets) {
        ok = false;
        continue;
      }
      for (Operation &thread : kernel.getBody().front())
        if (thread.getNumRegions())
          ok &= ThreadReport(&thread, compileOnly).run() &&
                succeeded(checkCardRules(&thread, portable)) &&
                (!portable || succeeded(checkFormats(&thread)));
      ok = ok && succeeded(checkSignposts(kernel, portable)) &&
           succeeded(checkPipeSchedule(kernel, portable)) &&
           (!portable ||
            (succeeded(checkLeftovers(kernel)) && succeeded(checkIntegerRegisters(kernel))));
    }
    if (!ok)
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<ttl::KernelOp>())
      warnUnread(kernel);
  }
};

} // namespace
