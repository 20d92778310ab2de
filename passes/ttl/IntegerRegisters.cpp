//===- IntegerRegisters.cpp - integers in DST registers of 16 bits ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A card computes integers in DST registers of 32 bits only. The emulated device has registers of
// 32 bits in any case, and the C++ of such a kernel is not emitted. Copies, broadcasts and
// transposes compute nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/IntegerRegisters.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/TTLElementwiseOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool holdsIntegers(Value value) {
  Type type = value.getType();
  if (auto block = dyn_cast<ttl::BlockType>(type))
    type = block.getTensorType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto tile = tensor ? dyn_cast<ttcore::TileType>(tensor.getElementType()) : ttcore::TileType();
  return tile && !tile.isFloat();
}

static bool computesIntegers(Operation *op) {
  if (!ttl::isBlockExpression(op) ||
      isa<ttl::BlockBcastOp, ttl::BlockTransposeOp, ttl::BlockViewOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), holdsIntegers) ||
         llvm::any_of(op->getResults(), holdsIntegers);
}

LogicalResult ttjit::checkIntegerRegisters(ttl::KernelOp kernel) {
  ttcore::ComputeConfigAttr config = kernel.getComputeConfigAttr();
  if (!config || config.getFp32DestAccEn())
    return success();
  WalkResult walk = kernel.walk([&](Operation *op) {
    if (!computesIntegers(op))
      return WalkResult::advance();
    emitCardRule(/*isError=*/true, op)
        << "integer blocks need 32-bit DST registers on the device: set fp32_dest_acc_en=True";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}
