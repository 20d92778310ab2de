//===- ThreadAssignment.cpp - finds the thread of each op of a unified thread -===//
// SPDX-License-Identifier: Apache-2.0
//
// The ops that use a block decide its thread: block arithmetic puts it on the compute
// thread; a copy into it puts it on the reader; a block that is only copied elsewhere is
// on the writer. A block or transfer handle that is passed through a loop or branch stays
// on one thread. All blocks of a buffer that are waited for on a node are on one thread, since a
// buffer has one consumer there; so are all that are reserved, since it has one producer. Copies
// of a tensor whose order matters are on the reader (TensorOrder.h). The reader publishes buffers.
// An op that nobody uses, but that may fault, is on the thread that knows its operands, or on that
// of the op beside it.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/ThreadAssignment.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/common/NodeDomains.h"
#include "passes/ttl/BlockRules.h"
#include "passes/ttl/ExternalEffects.h"
#include "passes/ttl/TensorOrder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

StringRef ttjit::describeRole(ThreadRole role) {
  switch (role) {
  case ThreadRole::Reader:
    return "the data movement thread that copies data into blocks";
  case ThreadRole::Writer:
    return "the data movement thread that copies blocks elsewhere";
  case ThreadRole::Compute:
    return "the compute thread";
  }
  llvm_unreachable("all roles are above");
}

//===--------------------------------------------------------------------------===//
// Ops that any thread may run
//===--------------------------------------------------------------------------===//

// Returns whether an assert before the op checks its operands. Each thread that needs the op's
// result repeats the check.
static bool isGuarded(Operation *op) { return isa_and_nonnull<arith::DivFOp, arith::FPToSIOp>(op); }

bool ttjit::isCheckOfOther(Operation *op) {
  return isa<ttl::CheckIndexOp>(op) || (isa<ttl::AssertOp>(op) && isGuarded(op->getNextNode()));
}

// Returns whether every thread may run the op: it may fault, but has no other effect.
static bool runsAnywhere(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isCheckOfOther(op) || isMemoryEffectFree(op))
    return true;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  bool onlyFaults = effects && llvm::all_of(*effects, [](const auto &effect) {
                      return isa<ttl::FaultResource>(effect.getResource());
                    });
  return onlyFaults && op->getNumResults() > 0;
}

// Returns whether the op is copied to every thread that runs an op inside it.
static bool isControlFlow(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp, ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(op);
}

static bool isGrouped(Value value) {
  return isa<ttl::BlockType, ttl::TransferHandleType>(value.getType());
}

//===--------------------------------------------------------------------------===//
// Groups of blocks and handles
//===--------------------------------------------------------------------------===//

void *ThreadAssignment::find(Value value) {
  void *root = value.getAsOpaquePointer();
  for (auto it = parents.find(root); it != parents.end(); it = parents.find(root))
    root = it->second;
  return root;
}

void ThreadAssignment::join(Value a, Value b) {
  void *first = find(a), *second = find(b);
  if (first != second)
    parents[second] = first;
}

void ThreadAssignment::formGroups() {
  thread.walk([&](Operation *op) {
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(op))
      queues[queueOf(op)].push_back(op);
    if (isa<ttl::CopyOp, ttl::BlockAtOp>(op))
      for (Value operand : op->getOperands())
        if (isGrouped(operand))
          join(operand, op->getResult(0));
    for (OpOperand &use : op->getOpOperands())
      if (isGrouped(use.get()))
        for (Value target : forwardedTo(use))
          join(use.get(), target);
  });
}

static void keepFirst(Operation *&known, Operation *op) {
  if (!known)
    known = op;
}

void ThreadAssignment::noteUses(Operation *op) {
  if (isa<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(op))
    keepFirst(groupOf(op->getResult(0)).acquire, op);
  if (op->hasAttr(ttl::kSelectorAttr) && !isa<ttcpp::CallOp>(op))
    keepFirst(groupOf(op->getOperand(0)).selected, op);
  auto copy = dyn_cast<ttl::CopyOp>(op);
  bool computes = ttl::isBlockArithmetic(op);
  for (Value operand : op->getOperands()) {
    if (!isa<ttl::BlockType>(operand.getType()))
      continue;
    if (computes)
      keepFirst(groupOf(operand).compute, op);
    else if (isa<ttl::ElementReadOp>(op))
      keepFirst(groupOf(operand).drain, op);
    else if (isa<ttl::ElementWriteOp>(op))
      keepFirst(groupOf(operand).fill, op);
    else if (copy)
      keepFirst(operand == copy.getDst() ? groupOf(operand).fill : groupOf(operand).drain, op);
  }
}

// Returns whether some of a buffer's blocks belong to the compute thread and others to a data
// movement thread. No block of the buffer is in a group with another one yet.
bool ThreadAssignment::isSplit(ArrayRef<Operation *> acquires) {
  bool computes = false, moves = false;
  for (Operation *acquire : acquires) {
    const Group &group = groupOf(acquire->getResult(0));
    computes |= group.compute != nullptr;
    moves |= group.fill || group.drain;
  }
  return computes && moves;
}

static bool meet(Operation *a, Operation *b, NodeDomains &domains) {
  auto isOnBoth = [&](int64_t node) {
    return domains.at(node, a) != NodeDomains::Runs::Never &&
           domains.at(node, b) != NodeDomains::Runs::Never;
  };
  return llvm::any_of(llvm::seq<int64_t>(0, domains.numNodes()), isOnBoth);
}

// Joins the groups of each buffer's blocks. If one thread cannot use all of them, only those that
// may be acquired on the same node are joined.
void ThreadAssignment::joinQueues(ArrayRef<Operation *> ops) {
  llvm::for_each(ops, [&](Operation *op) { noteUses(op); });
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  std::optional<NodeDomains> domains;
  for (auto &[queue, acquires] : queues) {
    if (!isSplit(acquires)) {
      for (Operation *acquire : acquires)
        pairs.emplace_back(acquires.front(), acquire);
      continue;
    }
    if (!domains)
      domains.emplace(thread->getParentOfType<ttl::KernelOp>());
    for (auto [number, acquire] : llvm::enumerate(acquires))
      for (Operation *other : ArrayRef(acquires).take_front(number))
        if (meet(other, acquire, *domains))
          pairs.emplace_back(other, acquire);
  }
  for (auto [a, b] : pairs)
    join(a->getResult(0), b->getResult(0));
  groups.clear(); // the roots have changed
}

// Decides which thread owns the group's blocks. Fails if some ops on them belong to the compute
// thread and others to a data movement thread: the error is at the first data movement op, a note
// at the first op that computes.
LogicalResult ThreadAssignment::chooseRole(Group &group) const {
  Operation *movement = group.fill ? group.fill : group.drain;
  if (group.compute && movement) {
    std::string block = group.acquire ? describeBlock(group.acquire) : "a block";
    InFlightDiagnostic diagnostic = movement->emitError();
    diagnostic << block << " is used by " << describeRole(ThreadRole::Compute)
               << " and by a data movement thread: a block belongs to one thread; "
               << (group.fill ? "copy into a buffer of its own, and wait for its blocks where you "
                                "compute"
                              : "store the value into a second buffer, and copy from that one");
    diagnostic.attachNote(group.compute->getLoc()) << "the compute thread uses the block here";
    if (group.acquire)
      diagnostic.attachNote(group.acquire->getLoc()) << "the block is acquired here";
    return failure();
  }
  if (group.compute)
    group.role = ThreadRole::Compute;
  else if (movement)
    group.role = group.fill ? ThreadRole::Reader : ThreadRole::Writer;
  return group.selected ? chooseSelected(group) : success();
}

// Returns the thread that transfers over pipes: that of the first send.
ThreadRole ThreadAssignment::roleOfSends() const {
  auto role = ThreadRole::Reader;
  ttl::UnifiedThreadOp whole = thread;
  whole.walk([&](ttl::CopyOp copy) {
    bool isDrained = copy.isSend() && copy.getSrc().getDefiningOp<ttl::CBWaitOp>() &&
                     llvm::none_of(copy.getSrc().getUsers(), [&](Operation *user) {
                       auto other = dyn_cast<ttl::CopyOp>(user);
                       return other && other.getDst() == copy.getSrc();
                     });
    if (isDrained)
      role = ThreadRole::Writer;
    return copy.isSend() ? WalkResult::interrupt() : WalkResult::advance();
  });
  return role;
}

ThreadRole ThreadAssignment::selectedRole(Operation *op) const {
  StringRef name = op->getAttrOfType<StringAttr>(ttl::kSelectorAttr).getValue();
  if (name == "pipe_source")
    return roleOfSends();
  return llvm::StringSwitch<ThreadRole>(name)
      .Case("compute", ThreadRole::Compute)
      .Case("writer", ThreadRole::Writer)
      .Default(ThreadRole::Reader);
}

// Returns the first call after the acquire of a C++ function that may use the block.
ttcpp::CallOp ThreadAssignment::callAfter(Operation *acquire) const {
  ttl::UnifiedThreadOp whole = thread;
  BlockQueue queue = queueOf(acquire);
  bool isAfter = false;
  ttcpp::CallOp found;
  whole.walk<WalkOrder::PreOrder>([&](Operation *op) {
    isAfter |= op == acquire;
    auto call = dyn_cast<ttcpp::CallOp>(op);
    if (!isAfter || !call || !llvm::is_contained(call.getDependencies(), queue.first) ||
        llvm::is_contained(statedQueues(call), queue))
      return WalkResult::advance();
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

// Calls of C++ functions are on the thread that the program names. So are blocks of their buffers
// that nothing else uses.
void ThreadAssignment::assignExternalCalls() {
  thread.walk([&](ttcpp::CallOp call) {
    roles[call] = call->hasAttr(ttl::kSelectorAttr) ? selectedRole(call) : ThreadRole::Compute;
  });
  for (auto &[root, group] : groups)
    if (!group.role && group.acquire && group.acquire->getNumOperands())
      if (ttcpp::CallOp call = callAfter(group.acquire))
        group.role = roles[call];
}

// Gives the group the thread that the program named. Fails if the uses of its blocks need another
// one.
LogicalResult ThreadAssignment::chooseSelected(Group &group) const {
  ThreadRole role = selectedRole(group.selected);
  if (!group.role)
    group.role = role;
  if ((*group.role == ThreadRole::Compute) == (role == ThreadRole::Compute))
    return success();
  Operation *use = group.compute ? group.compute : group.fill ? group.fill : group.drain;
  InFlightDiagnostic diagnostic = group.selected->emitError()
                                  << "kernel= gives "
                                  << (group.acquire ? describeBlock(group.acquire) : "this block")
                                  << " to " << describeRole(role) << ", but "
                                  << describeRole(*group.role)
                                  << " uses it: leave kernel= out, or name that thread";
  diagnostic.attachNote(use->getLoc()) << "the block is used here";
  return diagnostic;
}

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

static Value groupedValueOf(Operation *op) {
  for (Value operand : op->getOperands())
    if (isGrouped(operand))
      return operand;
  for (Value result : op->getResults())
    if (isGrouped(result))
      return result;
  return {};
}

// Adds the groups of the blocks whose elements decide whether `op` runs, and on which values.
void ThreadAssignment::collectElements(Operation *op, SmallVectorImpl<Group *> &found) {
  SmallVector<Value> values;
  for (Operation *user = op; user != thread; user = user->getParentOp())
    llvm::append_range(values, user->getOperands());
  DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (isGrouped(value) || !seen.insert(value).second)
      continue;
    values.append(forwardedFrom(value));
    Operation *maker = value.getDefiningOp();
    if (auto read = dyn_cast_or_null<ttl::ElementReadOp>(maker))
      found.push_back(&groupOf(read->getOperand(0)));
    else if (maker)
      llvm::append_range(values, maker->getOperands());
  }
}

// Puts both groups of blocks on the reader if both data movement threads need an element that one
// of them reads: the reader then runs their ops in the order of the program. Returns whether a
// group changed its thread.
bool ThreadAssignment::shareElements(Operation *op) {
  Value value = groupedValueOf(op);
  if (!value || isControlFlow(op) || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  Group &group = groupOf(value);
  SmallVector<Group *> read;
  collectElements(op, read);
  bool changed = false;
  for (Group *other : read) {
    bool differs = group.role && other->role && *group.role != *other->role;
    if (!differs || group.role == ThreadRole::Compute || other->role == ThreadRole::Compute)
      continue;
    Group &moved = group.role == ThreadRole::Writer ? group : *other;
    if (moved.selected)
      continue;
    moved.role = ThreadRole::Reader;
    changed = true;
  }
  return changed;
}

// Puts copies of a tensor whose order matters on the reader, which runs them in the order of the
// program.
void ThreadAssignment::keepTensorOrder() {
  TensorOrder order(thread);
  auto groupOfCopy = [&](ttl::CopyOp copy) -> Group & {
    return groupOf(isa<ttl::BlockType>(copy.getDst().getType()) ? copy.getDst() : copy.getSrc());
  };
  auto areApart = [&](ttl::CopyOp a, ttl::CopyOp b) {
    return groupOfCopy(a).role != groupOfCopy(b).role;
  };
  auto join = [&](ttl::CopyOp a, ttl::CopyOp b) {
    Group &first = groupOfCopy(a), &second = groupOfCopy(b);
    Group &moved = first.role == ThreadRole::Writer ? first : second;
    if (moved.selected || moved.role != ThreadRole::Writer)
      return false;
    moved.role = ThreadRole::Reader;
    return true;
  };
  while (order.visitPairs(areApart, join))
    ;
}

//===--------------------------------------------------------------------------===//
// Threads of ops
//===--------------------------------------------------------------------------===//

void ThreadAssignment::assignToGroup(Operation *op) {
  if (ttl::isBlockArithmetic(op)) {
    roles[op] = ThreadRole::Compute;
    return;
  }
  Value value = groupedValueOf(op);
  if (!value || isControlFlow(op) || op->hasTrait<OpTrait::IsTerminator>())
    return;
  if (std::optional<ThreadRole> role = groupOf(value).role)
    roles[op] = *role;
}

// Returns the thread of the first (or last) op that counts, among `op` and the ops in it.
std::optional<ThreadRole> ThreadAssignment::roleInside(Operation *op, bool first,
                                                       Counts counts) const {
  std::optional<ThreadRole> found;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    auto it = roles.find(inner);
    if (it == roles.end() || !counts(inner))
      return WalkResult::advance();
    found = it->second;
    return first ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

// Returns the thread of the nearest op that counts: in the list of statements of `op`, then around
// the loop or branch of that list.
std::optional<ThreadRole> ThreadAssignment::roleBeside(Operation *op, StatementLists::First first,
                                                       Counts counts) const {
  std::optional<ThreadRole> role;
  for (; op != thread; op = op->getParentOp()) {
    auto hasRole = [&](Operation *other) {
      role = roleInside(other, /*first=*/op->isBeforeInBlock(other), counts);
      return role.has_value();
    };
    if (lists.visitAround(op, first, hasRole))
      return role;
  }
  return std::nullopt;
}

// Returns the thread of a barrier: the reader starts all reads, the writer, if any, most writes.
ThreadRole ThreadAssignment::roleOfBarrier(ttl::DMABarrierOp barrier) const {
  bool hasWriter = llvm::any_of(
      groups, [](const auto &entry) { return entry.second.role == ThreadRole::Writer; });
  bool isForReads = barrier.getDirection() == ttl::TransferDirection::Reads;
  return hasWriter && !isForReads ? ThreadRole::Writer : ThreadRole::Reader;
}

static bool isTransfer(Operation *op) { return isa<ttl::CopyOp, ttl::WaitOp, ttl::WaitAnyOp>(op); }

// Puts the op on the thread of the nearest op that has one, those after it first; else on compute.
void ThreadAssignment::assignBeside(Operation *op) {
  auto any = [](Operation *) { return true; };
  roles[op] = roleBeside(op, StatementLists::First::After, any).value_or(ThreadRole::Compute);
}

static bool isSignal(Operation *op) { return isa<ttl::SemaphoreSetOp, ttl::SemaphoreIncOp>(op); }

// Puts a wait on the thread of the transfer that it permits, which comes after it, and a signal on
// that of what it reports, which comes before it: a transfer, or a wait for another signal.
void ThreadAssignment::assignToTransfers(Operation *op) {
  std::optional<ThreadRole> role =
      isSignal(op) ? roleBeside(op, StatementLists::First::Before,
                                [](Operation *other) {
                                  return isTransfer(other) ||
                                         (ttl::isPipeOrSemaphoreUse(other) && !isSignal(other));
                                })
                   : roleBeside(op, StatementLists::First::After, isTransfer);
  roles[op] = role.value_or(ThreadRole::Reader);
}

// Puts all copies of a statement on a semaphore on one thread, as if it were still in a loop.
void ThreadAssignment::assignSemaphores(ArrayRef<Operation *> ops) {
  DenseMap<Attribute, ThreadRole> statements;
  for (bool signals : {false, true}) {
    for (Operation *op : ops) {
      if (!ttl::isPipeOrSemaphoreUse(op) || isControlFlow(op) || isMemoryEffectFree(op) ||
          isSignal(op) != signals)
        continue;
      if (auto known = statements.find(op->getLoc()); known != statements.end()) {
        roles[op] = known->second;
        continue;
      }
      assignToTransfers(op);
      if (!isa<UnknownLoc>(op->getLoc()))
        statements[op->getLoc()] = roles[op];
    }
  }
}

// Puts a block that nothing reads or writes on the thread of the op nearest to its first acquire,
// unless the other end of the buffer is there: a thread that waits for itself would hang.
void ThreadAssignment::assignUnused(Operation *acquire, ArrayRef<Operation *> ops) {
  assignBeside(acquire);
  auto isOtherEnd = [&](Operation *op) {
    return isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && op->getName() != acquire->getName() &&
           op->getOperand(0) == acquire->getOperand(0) &&
           groupOf(op->getResult(0)).role == roles[acquire];
  };
  if (llvm::any_of(ops, isOtherEnd))
    roles[acquire] =
        roles[acquire] == ThreadRole::Compute ? ThreadRole::Writer : ThreadRole::Compute;
  groupOf(acquire->getResult(0)).role = roles[acquire];
}

// Returns the thread that makes an operand of `op`, found through ops that any thread may
// run; nullopt if there is none.
std::optional<ThreadRole> ThreadAssignment::roleOfValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (isGrouped(value) && groupOf(value).role)
      return groupOf(value).role;
    values.append(forwardedFrom(value));
    Operation *maker = value.getDefiningOp();
    if (!maker || isControlFlow(maker))
      continue;
    if (auto it = roles.find(maker); it != roles.end())
      return it->second;
    llvm::append_range(values, maker->getOperands());
  }
  return std::nullopt;
}

static bool isInPipeCallback(Operation *op) {
  return op->getParentOfType<ttl::IfPipeSrcOp>() || op->getParentOfType<ttl::IfPipeDstOp>();
}

void ThreadAssignment::assignToValues(Operation *op) {
  // An op of `raise X()` has no operands. Other threads repeat it before what they would release.
  if (auto raise = dyn_cast<ttl::AssertOp>(op); raise && alwaysFails(raise))
    return assignBeside(op);
  std::optional<ThreadRole> role = roleOfValues(op);
  // The compute thread has no callbacks of pipes, and cannot address tensors.
  if (!role && isInPipeCallback(op))
    return assignToTransfers(op);
  bool needsTensor = isa<ttl::PrintTensorOp>(op);
  roles[op] = role.value_or(needsTensor ? ThreadRole::Reader : ThreadRole::Compute);
}

// Returns whether nobody uses the result of `op`, and `op` may fault: the statement 1 // n.
static bool onlyFaults(Operation *op) {
  if (isa<ttl::AssertOp>(op))
    return isCheckOfOther(op) && op->getNextNode()->use_empty();
  return op->getNumResults() > 0 && op->use_empty() && !isMemoryEffectFree(op) && runsAnywhere(op);
}

// Puts the op on a thread that knows its operands and the conditions around it, else on the thread
// of the op beside it.
void ThreadAssignment::assignFault(Operation *op) {
  std::optional<ThreadRole> role;
  for (Operation *user = op; user != thread && !role; user = user->getParentOp())
    role = roleOfValues(user);
  if (role)
    roles[op] = *role;
  else if (isInPipeCallback(op))
    assignToTransfers(op);
  else
    assignBeside(op);
}

// Refuses an op of the compute thread in a callback of a pipe, which no compute thread has.
LogicalResult ThreadAssignment::checkCallbacks(ArrayRef<Operation *> ops) const {
  for (Operation *op : ops)
    if (roleOf(op) == ThreadRole::Compute && isInPipeCallback(op))
      return op->emitError(
          "a callback of if_src() or if_dst() runs on a data movement thread, and this "
          "belongs to the compute thread: receive into a block in the callback, and "
          "compute after the call of if_dst()");
  return success();
}

LogicalResult ThreadAssignment::run() {
  SmallVector<Operation *> ops;
  thread.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != thread)
      ops.push_back(op);
  });
  formGroups();
  joinQueues(ops);
  llvm::for_each(ops, [&](Operation *op) { noteUses(op); });
  for (auto &[root, group] : groups)
    if (failed(chooseRole(group)))
      return failure();
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : ops)
      changed |= shareElements(op);
  }
  keepTensorOrder();
  assignExternalCalls();
  llvm::for_each(ops, [&](Operation *op) { assignToGroup(op); });
  assignSemaphores(ops);
  thread.walk([&](ttl::CBPublishOp publish) { roles[publish] = ThreadRole::Reader; });
  thread.walk([&](ttl::DMABarrierOp barrier) { roles[barrier] = roleOfBarrier(barrier); });
  for (Operation *op : ops)
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && !groupOf(op->getResult(0)).role)
      assignUnused(op, ops);
  llvm::for_each(ops, [&](Operation *op) { assignToGroup(op); });
  for (Operation *op : ops)
    if (!roles.count(op) && !isControlFlow(op) && !runsAnywhere(op) && !isa<ttl::CBResetOp>(op))
      assignToValues(op); // a reset belongs to every thread
  for (Operation *op : ops)
    if (!roles.count(op) && onlyFaults(op))
      assignFault(op);
  return checkCallbacks(ops);
}

std::optional<ThreadRole> ThreadAssignment::roleOf(Operation *op) const {
  auto it = roles.find(op);
  return it == roles.end() ? std::nullopt : std::optional(it->second);
}
