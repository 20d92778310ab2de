//===- AssignTransferIds.cpp - ttl-assign-transfer-ids ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a wait for one transfer is a barrier on its transaction id, and a
// processor has 16 of them. Id 0 is what transfers without an id carry.
//
// 1. Walk each data movement thread in program order with a list of free ids.
// 2. A copy that somebody waits for takes the lowest free id. Its id is free again
//    after the last op of the copy's block that waits for it or contains such a wait:
//    in a loop, ids are reused in every iteration.
// 3. Where a loop carries handles from one iteration to the next, ids become values
//    that rotate: the loop carries the id of each handle and as many free ids as it
//    starts copies for the next iteration; an iteration hands on the ids of the handles
//    it waited for as the free ones of the next. Results of branches carry the id of
//    the branch taken.
// 4. A wait for a handle that came through a loop or branch becomes the barrier of that
//    id; handles are no longer carried.
// 5. A copy gets no id if none is free, or if its handle goes through scf.while or is
//    made in a branch of a loop that carries it. A wait for such a copy is a barrier on
//    all transfers of its direction, and a remark says so. A wait for a send or a
//    receive is that barrier, too.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/buffers/Passes.h"

#include "passes/buffers/HandleClasses.h"
#include "passes/common/Arithmetic.h"
#include "passes/common/CarriedValues.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLASSIGNTRANSFERIDS
#include "passes/buffers/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The handles and ids that a loop carries, so that the handles of its iterations take turns with
// the ids.
struct Rotation {
  SmallVector<ttl::CopyOp> started; // copies whose handles the next iteration gets
  SmallVector<Value> spent;         // handles that an iteration does not hand on
  SmallVector<int> taken;           // ids that are free for `started` when the loop begins
  SmallVector<unsigned> carried;    // positions of the carried handles that have ids
};

class IdAssigner {
public:
  IdAssigner(func::FuncOp function, int numIds)
      : function(function), arithmetic(function), classes(function), free(numIds, true) {
    free.reset(0);
  }

  LogicalResult run();

  unsigned numTagged = 0, numUntagged = 0;

private:
  void visit(Block &block);
  Operation *visitLoop(scf::ForOp loop);
  Rotation rotationOf(scf::ForOp loop);
  void visitWithoutIds(scf::ForOp loop, const Rotation &rotation);
  SmallVector<Value> rotateIds(scf::ForOp loop, const Rotation &rotation, ValueRange arguments);
  scf::ForOp carryIds(scf::ForOp loop, const Rotation &rotation);
  Operation *visitBranch(scf::IfOp branch);
  SmallVector<unsigned> followed(scf::ForOp loop);
  void take(ttl::CopyOp copy);
  void giveUp(HandleClass &handles);
  std::optional<int> takeFree();
  void freeAfter(Operation *op, ArrayRef<int> ids) { llvm::append_range(endsAt[op], ids); }
  LogicalResult endCarrying();
  Value idOf(Value handle);

  func::FuncOp function;
  Arithmetic arithmetic;
  HandleClasses classes;
  llvm::BitVector free;
  DenseMap<Operation *, SmallVector<int>> endsAt;
  DenseMap<Value, Value> ids;                       // id of each handle, as a value
  DenseMap<Operation *, Value> planned;             // ids of copies whose handles loops carry
  DenseMap<Operation *, SmallVector<int>> escaping; // ids taken in the branches of each scf.if
};

std::optional<int> IdAssigner::takeFree() {
  int id = free.find_first();
  if (id < 0)
    return std::nullopt;
  free.reset(id);
  return id;
}

// Gives the handles of this class no ids: each wait for one waits for all transfers.
void IdAssigner::giveUp(HandleClass &handles) {
  if (!std::exchange(handles.isFollowed, false))
    return;
  for (ttl::CopyOp copy : handles.copies) {
    ++numUntagged;
    copy.emitRemark() << "no transfer id is free for this copy: its wait() waits for all "
                      << (copy.isRead() ? "reads" : "writes") << " of this thread";
  }
}

Value IdAssigner::idOf(Value handle) {
  if (Value id = ids.lookup(handle))
    return id;
  auto copy = handle.getDefiningOp<ttl::CopyOp>();
  return arithmetic.i32(copy && copy.getTransferId() ? *copy.getTransferId() : 0);
}

void IdAssigner::take(ttl::CopyOp copy) {
  HandleClass &handles = classes.of(copy.getXf());
  if (!handles.isFollowed || copy->use_empty())
    return;
  ++numTagged;
  if (Value id = planned.lookup(copy)) {
    copy.getIdMutable().assign(id);
    ids[copy.getXf()] = id;
    return;
  }
  std::optional<int> id = takeFree();
  if (!id) {
    --numTagged;
    return giveUp(handles);
  }
  copy.setTransferId(*id);
  if (Operation *branch = escapingBranch(copy))
    escaping[branch].push_back(*id);
  else
    freeAfter(lastWait(copy.getXf(), copy->getBlock()), *id);
}

// Returns the positions of the carried handles whose ids the loop can carry.
SmallVector<unsigned> IdAssigner::followed(scf::ForOp loop) {
  SmallVector<unsigned> numbers;
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isa<ttl::TransferHandleType>(argument.getType()) && classes.of(argument).isFollowed)
      numbers.push_back(i);
  return numbers;
}

// Takes an id for each copy whose handle the loop's next iteration gets, as far as there are free
// ones.
Rotation IdAssigner::rotationOf(scf::ForOp loop) {
  Rotation rotation;
  for (unsigned i : followed(loop)) {
    if (auto copy = loop.getYieldedValues()[i].getDefiningOp<ttl::CopyOp>())
      rotation.started.push_back(copy);
    if (!llvm::is_contained(loop.getYieldedValues(), loop.getRegionIterArg(i)))
      rotation.spent.push_back(loop.getRegionIterArg(i));
  }
  for (ttl::CopyOp copy : rotation.started)
    if (std::optional<int> id = takeFree())
      rotation.taken.push_back(*id);
    else
      giveUp(classes.of(copy.getXf()));
  rotation.carried = followed(loop);
  return rotation;
}

// Visits a loop whose handles have no ids: each wait for one waits for all transfers.
void IdAssigner::visitWithoutIds(scf::ForOp loop, const Rotation &rotation) {
  freeAfter(loop, rotation.taken);
  for (unsigned i : rotation.carried)
    giveUp(classes.of(loop.getRegionIterArg(i)));
  visit(*loop.getBody());
}

// Visits the loop's body with `arguments` as the ids of the carried handles and the free ids.
// Returns those of the next iteration.
SmallVector<Value> IdAssigner::rotateIds(scf::ForOp loop, const Rotation &rotation,
                                         ValueRange arguments) {
  for (auto [k, i] : llvm::enumerate(rotation.carried))
    ids[loop.getRegionIterArg(i)] = arguments[k];
  for (auto [k, copy] : llvm::enumerate(rotation.started))
    planned[copy] = arguments[rotation.carried.size() + k];
  visit(*loop.getBody());
  SmallVector<Value> next;
  for (unsigned i : rotation.carried)
    next.push_back(idOf(loop.getYieldedValues()[i]));
  for (Value handle : rotation.spent)
    next.push_back(idOf(handle));
  return next;
}

// Returns the loop that carries the ids in place of `loop`.
scf::ForOp IdAssigner::carryIds(scf::ForOp loop, const Rotation &rotation) {
  SmallVector<Value> starts;
  for (unsigned i : rotation.carried)
    starts.push_back(idOf(loop.getInitArgs()[i]));
  for (int id : rotation.taken)
    starts.push_back(arithmetic.i32(id));
  auto rotate = [&](Region &, ValueRange arguments) {
    return rotateIds(loop, rotation, arguments);
  };
  classes.forget(loop);
  auto rebuilt = cast<scf::ForOp>(carryValues(loop, ValueRange(starts).getTypes(), starts, rotate));
  classes.remember(rebuilt);
  ValueRange results = rebuilt.getResults().take_back(starts.size());
  ValueRange arguments = rebuilt.getRegionIterArgs().take_back(starts.size());
  for (auto [k, i] : llvm::enumerate(rotation.carried)) {
    ids[rebuilt.getResult(i)] = results[k];
    ids[rebuilt.getRegionIterArg(i)] = arguments[k];
  }
  return rebuilt;
}

// Returns the op that replaces the loop, or the loop itself if it stays.
Operation *IdAssigner::visitLoop(scf::ForOp loop) {
  Rotation rotation = rotationOf(loop);
  if (rotation.taken.size() < rotation.started.size() || rotation.carried.empty()) {
    visitWithoutIds(loop, rotation);
    return loop;
  }
  Operation *last = loop;
  for (unsigned i : rotation.carried)
    last = laterOf(last, lastWait(loop.getResult(i), loop->getBlock()));
  bool endsHere = last == loop;
  scf::ForOp rebuilt = carryIds(loop, rotation);
  freeAfter(endsHere ? rebuilt.getOperation() : last, rotation.taken);
  return rebuilt;
}

// Adds one result to the branch for the id of each handle that it returns.
Operation *IdAssigner::visitBranch(scf::IfOp branch) {
  SmallVector<unsigned> handles;
  Operation *last = branch;
  for (OpResult result : branch.getResults())
    if (isa<ttl::TransferHandleType>(result.getType())) {
      last = laterOf(last, lastWait(result, branch->getBlock()));
      if (classes.of(result).isFollowed)
        handles.push_back(result.getResultNumber());
    }
  SmallVector<int> taken = escaping.lookup(branch);
  escaping.erase(branch);
  if (handles.empty()) {
    freeAfter(last, taken);
    return branch;
  }
  size_t known = branch.getNumResults();
  auto yieldIds = [&](Region &region, ValueRange) {
    Operation *yield = region.front().getTerminator();
    return llvm::map_to_vector(handles, [&](unsigned i) { return idOf(yield->getOperand(i)); });
  };
  SmallVector<Type> types(handles.size(), IntegerType::get(function.getContext(), 32));
  bool endsHere = last == branch;
  classes.forget(branch);
  Operation *rebuilt = carryValues(branch, types, {}, yieldIds);
  classes.remember(rebuilt);
  for (auto [k, i] : llvm::enumerate(handles))
    ids[rebuilt->getResult(i)] = rebuilt->getResult(known + k);
  freeAfter(endsHere ? rebuilt : last, taken);
  return rebuilt;
}

void IdAssigner::visit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    SmallVector<int> ends = endsAt.lookup(&op);
    endsAt.erase(&op);
    Operation *current = &op;
    if (auto copy = dyn_cast<ttl::CopyOp>(op)) {
      take(copy);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && !followed(loop).empty()) {
      current = visitLoop(loop);
    } else {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
      if (auto branch = dyn_cast<scf::IfOp>(op))
        current = visitBranch(branch);
    }
    llvm::append_range(ends, endsAt.lookup(current));
    for (int id : ends)
      free.set(id);
  }
}

// Turns waits for handles that came through loops and branches into barriers.
LogicalResult IdAssigner::endCarrying() {
  SmallVector<ttl::WaitOp> waits;
  function.walk([&](ttl::WaitOp wait) {
    if (!wait.getXf().getDefiningOp<ttl::CopyOp>())
      waits.push_back(wait);
  });
  for (ttl::WaitOp wait : waits) {
    HandleClass &handles = classes.of(wait.getXf());
    OpBuilder builder(wait);
    if (handles.reads == handles.writes)
      ttl::DMABarrierOp::create(builder, wait.getLoc());
    else
      ttl::DMABarrierOp::create(builder, wait.getLoc(),
                                handles.reads ? ttl::TransferDirection::Reads
                                              : ttl::TransferDirection::Writes,
                                handles.isFollowed ? idOf(wait.getXf()) : Value());
    wait.erase();
  }
  return dropCarried(function, [](Type type) { return isa<ttl::TransferHandleType>(type); });
}

LogicalResult IdAssigner::run() {
  classes.eachUnfollowed([&](HandleClass &handles) {
    for (ttl::CopyOp copy : handles.copies) {
      ++numUntagged;
      copy.emitRemark() << "cannot follow the handle of this copy through loops and branches: its "
                           "wait() waits for all "
                        << (copy.isRead() ? "reads" : "writes") << " of this thread";
    }
  });
  visit(function.getBody().front());
  return endCarrying();
}

struct AssignTransferIds : ttjit::impl::TTLAssignTransferIdsBase<AssignTransferIds> {
  void runOnOperation() override {
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding || binding->isCompute())
      return;
    IdAssigner assigner(getOperation(), archOf(binding->program).numTransferIds);
    if (failed(assigner.run()))
      return signalPassFailure();
    numTagged += assigner.numTagged;
    numUntagged += assigner.numUntagged;
  }
};

} // namespace
