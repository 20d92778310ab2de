//===- Positions.cpp - remove repeated stores of the position -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Many device calls come from one source line. Only ttl_jit_at and the slow path of
// ttl_jit_step store a position, so a store of the position that was stored last is
// removed. The position at the start of a block is known if the block has one
// predecessor, which was visited before.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ttjit::tollvm;

using Position = std::optional<int64_t>;

// Removes the stores in `block` that repeat the position stored before. `last` is the
// position stored last before the block; the result is the one stored last at its end.
static Position removeInBlock(Block &block, Position last) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (!call || !call.getCallee())
      continue;
    if (*call.getCallee() == kStep)
      last.reset();
    if (*call.getCallee() != kAt)
      continue;
    APInt number;
    matchPattern(call.getArgOperands()[1], m_ConstantInt(&number));
    if (last == number.getSExtValue())
      call.erase();
    else
      last = number.getSExtValue();
  }
  return last;
}

void ttjit::tollvm::removeRepeatedPositions(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    llvm::DenseMap<Block *, Position> atEnd;
    for (Block &block : function.getBody()) {
      Block *predecessor = block.getUniquePredecessor();
      atEnd[&block] = removeInBlock(block, predecessor ? atEnd.lookup(predecessor) : std::nullopt);
    }
  }
}
