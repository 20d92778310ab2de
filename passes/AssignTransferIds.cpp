//===- AssignTransferIds.cpp - ttl-assign-transfer-ids --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a wait for one transfer is a barrier on its transaction id, and a
// processor has 16 of them.
//
// 1. Walk each data movement thread in program order with a list of free ids.
// 2. A copy takes the lowest free id. Its id is free again after the last op of
//    the copy's block that waits for it or contains such a wait: in a loop, ids
//    are reused in every iteration.
// 3. A copy that finds no free id gets none; waiting for it is a barrier on all
//    transfers of its direction, and a remark says so.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/Support/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLASSIGNTRANSFERIDS
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

Operation *lastWait(ttl::CopyOp copy) {
  Operation *last = copy;
  for (Operation *user : copy->getUsers())
    if (Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user))
      if (last->isBeforeInBlock(ancestor))
        last = ancestor;
  return last;
}

class IdAssigner {
public:
  explicit IdAssigner(int numIds) : free(numIds, true) {}

  void assign(Block &block) {
    for (Operation &op : block) {
      if (auto copy = dyn_cast<ttl::CopyOp>(op))
        take(copy);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          assign(inner);
      for (int id : endsAt.lookup(&op))
        free.set(id);
    }
  }

private:
  void take(ttl::CopyOp copy) {
    int id = free.find_first();
    if (id < 0) {
      copy.emitRemark() << "no transfer id is free: waiting for this copy waits for all "
                        << (copy.isRead() ? "reads" : "writes") << " of the thread";
      return;
    }
    free.reset(id);
    copy.setTransferId(id);
    endsAt[lastWait(copy)].push_back(id);
  }

  llvm::BitVector free;
  DenseMap<Operation *, SmallVector<int>> endsAt;
};

struct AssignTransferIds : ttjit::impl::TTLAssignTransferIdsBase<AssignTransferIds> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (!binding.isCompute())
        IdAssigner(archOf(binding.program).numTransferIds)
            .assign(binding.function.getBody().front());
  }
};

} // namespace
