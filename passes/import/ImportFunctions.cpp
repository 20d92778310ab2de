//===- ImportFunctions.cpp - replaces a dialect's ops in functions ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/import/ImportFunctions.h"

#include "ir/Messages/UnknownNames.h"
#include "ir/TTL/TTL.h"
#include "ir/modules/TTIR/Shapes.h"

using namespace mlir;
using namespace ttjit;

static bool isOf(Operation *op, StringRef dialect) {
  return op->getName().getDialectNamespace() == dialect;
}

static Type withoutLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getEncoding() ? tt::ttir::logicalType(tensor) : type;
}

static LogicalResult checkTensors(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !shaped.hasStaticShape())
      return op->emitOpError("needs tensors whose extents are known, found ") << type;
  }
  return success();
}

// Returns the ops of the dialect; an error for one in a region of another op.
static FailureOr<SmallVector<Operation *>> opsOf(func::FuncOp function, StringRef dialect) {
  SmallVector<Operation *> found;
  WalkResult result = function.walk([&](Operation *op) {
    if (!isOf(op, dialect))
      return WalkResult::advance();
    found.push_back(op);
    if (op->getParentOp() == function && llvm::hasSingleElement(function.getBody()))
      return WalkResult::advance();
    op->emitOpError("must be in a function of one block, not in a branch or a loop");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return found;
}

static void dropLayouts(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    argument.setType(withoutLayout(argument.getType()));
}

// Gives the function the types of its arguments and of what it returns.
static void updateType(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.setFunctionType(FunctionType::get(function.getContext(), body.getArgumentTypes(),
                                             body.getTerminator()->getOperandTypes()));
}

// Checks the results for which the conversion made no value, such as a device: only ops of the same
// dialect, which are erased too, may use them.
static LogicalResult checkUses(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (user->getName().getDialectNamespace() != op->getName().getDialectNamespace())
        return user->emitOpError("cannot use the result of ") << op->getName();
  return success();
}

static LogicalResult importFunction(func::FuncOp function, ArrayRef<Operation *> ops,
                                    Conversion convert) {
  dropLayouts(function);
  for (Operation *op : ops) {
    if (failed(checkTensors(op)))
      return failure();
    FailureOr<Values> made = convert(op);
    if (failed(made))
      return failure();
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *made))
      if (value)
        result.replaceAllUsesWith(value);
  }
  if (failed(checkUses(ops)))
    return failure();
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  updateType(function);
  return success();
}

// Returns whether the function has ops of ttir, and no others but return.
static bool isOfTTIR(func::FuncOp function) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return false;
  Block &body = function.getBody().front();
  return body.getOperations().size() > 1 &&
         llvm::all_of(body.without_terminator(), [](Operation &op) { return isOf(&op, "ttir"); });
}

void ttjit::dropLayouts(ModuleOp module) {
  auto drop = [](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (tensor && isa_and_nonnull<tt::ttl::TensorEncodingAttr>(tensor.getEncoding()))
      value.setType(withoutLayout(tensor));
  };
  for (auto function : module.getOps<func::FuncOp>())
    if (isOfTTIR(function)) {
      llvm::for_each(function.getArguments(), drop);
      for (Operation &op : function.getBody().front())
        llvm::for_each(op.getResults(), drop);
      updateType(function);
    }
}

FailureOr<int64_t> ttjit::importFunctions(ModuleOp module, StringRef dialect, Conversion convert) {
  int64_t count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    FailureOr<SmallVector<Operation *>> ops = opsOf(function, dialect);
    if (failed(ops))
      return failure();
    if (ops->empty())
      continue;
    if (failed(importFunction(function, *ops, convert)))
      return failure();
    count += ops->size();
  }
  return count;
}

LogicalResult ttjit::reportUnsupported(Operation *op, ArrayRef<StringRef> supported) {
  std::string text = describeUnknown("", op->getName().stripDialect(), supported);
  return op->emitOpError("has no counterpart in ttir; ") << StringRef(text).split("; ").second;
}
