//===- StageChecks.cpp - checks that earlier passes have run ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/StageChecks.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

LogicalResult ttjit::notReady(Operation *op, const Twine &what, StringRef passes) {
  return op->emitOpError(what) << ": run " << passes << " first";
}

LogicalResult ttjit::requireAcquires(Operation *function) {
  WalkResult result = function->walk([](Operation *op) -> WalkResult {
    for (Value operand : op->getOperands()) {
      if (!isa<ttl::BlockType>(operand.getType()))
        continue;
      Operation *acquire = acquireOf(operand);
      if (!isa_and_nonnull<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(acquire))
        return notReady(op, "uses a block whose wait or reserve is not known here",
                        "ttl-name-held-blocks");
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ttjit::requireBufferIndices(ttl::ProgramOp program) {
  for (ttl::CreateCBOp buffer : getBuffers(program))
    if (!buffer.getBufferIndex())
      return notReady(buffer, "has no buffer_index", "ttl-allocate-circular-buffers");
  return success();
}

LogicalResult ttjit::eraseLowered(ArrayRef<Operation *> ops, StringRef passes) {
  llvm::SmallPtrSet<Operation *, 16> lowered(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (!lowered.contains(user))
        return notReady(user, "still uses the result of '" + op->getName().getStringRef() + "'",
                        passes);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return success();
}
