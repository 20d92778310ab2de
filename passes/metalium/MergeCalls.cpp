//===- MergeCalls.cpp - merges equal expressions of the direct path -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/MergeCalls.h"

#include "ir/TTKernel/DeviceCalls.h"

#include "llvm/ADT/ScopedHashTable.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

namespace {

// Ops are equal if everything but their positions is.
struct EqualOps : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return static_cast<unsigned>(OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations));
  }
  static bool isEqual(const Operation *left, const Operation *right) {
    auto isMarker = [](const Operation *op) {
      return op == getEmptyKey() || op == getTombstoneKey();
    };
    if (left == right || isMarker(left) || isMarker(right))
      return left == right;
    return OperationEquivalence::isEquivalentTo(const_cast<Operation *>(left),
                                                const_cast<Operation *>(right),
                                                OperationEquivalence::IgnoreLocations);
  }
};

// Walks blocks in order: the ops of a block precede those of the regions after them.
class CallMerger {
public:
  void visit(Block &block) {
    Table::ScopeTy scope(known);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
      if (op.getNumRegions() == 0 && op.getNumResults() && ttkernel::hasNoEffects(&op))
        op.use_empty() ? op.erase() : merge(&op);
    }
  }

private:
  using Table = llvm::ScopedHashTable<Operation *, Operation *, EqualOps>;

  void merge(Operation *op) {
    Operation *equal = known.lookup(op);
    if (!equal)
      return known.insert(op, op);
    op->replaceAllUsesWith(equal);
    op->erase();
  }

  Table known;
};

} // namespace

void tometalium::mergeCalls(func::FuncOp function) {
  for (Block &block : function.getBody())
    CallMerger().visit(block);
}
