//===- EqualValues.cpp - values that are computed the same way ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/EqualValues.h"

#include "ir/TTL/TTL.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static constexpr unsigned kMaxDepth = 16;

// Returns whether the op's results depend only on its operands and attributes. This includes
// checked integer ops: they may fault, but then they have no result.
static bool computesOnly(Operation *op) {
  if (op->getNumRegions() != 0)
    return false;
  if (isMemoryEffectFree(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<ttl::FaultResource>(effect.getResource());
  });
}

bool EqualValues::areComputedEqually(mlir::Value a, mlir::Value b, unsigned depth) {
  auto left = dyn_cast<OpResult>(a), right = dyn_cast<OpResult>(b);
  if (!left || !right || left.getResultNumber() != right.getResultNumber() || depth == kMaxDepth)
    return false;
  if (!computesOnly(left.getOwner()))
    return false;
  return OperationEquivalence::isEquivalentTo(
      left.getOwner(), right.getOwner(),
      [&](mlir::Value x, mlir::Value y) { return success(areEqual(x, y, depth + 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool EqualValues::areEqual(mlir::Value a, mlir::Value b, unsigned depth) {
  if (a == b)
    return true;
  auto known = compared.find({a, b});
  if (known != compared.end())
    return known->second;
  return compared[{a, b}] = areComputedEqually(a, b, depth);
}

mlir::Value EqualValues::representative(mlir::Value value) {
  for (mlir::Value other : representatives)
    if (areEqual(other, value, 0))
      return other;
  representatives.push_back(value);
  return value;
}

} // namespace ttjit::frontend
