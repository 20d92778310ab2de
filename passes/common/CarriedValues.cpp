//===- CarriedValues.cpp - values that loops carry and that have to go -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A conversion of the chosen types to no type at all: MLIR's patterns for scf rebuild
// what carries them.
//===--------------------------------------------------------------------------===//

#include "passes/common/CarriedValues.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

using TypeFilter = llvm::function_ref<bool(Type)>;

// The conversion reads the types of all operands. An operand can be null where the op
// that made it is gone: the placeholder of its type takes its place.
static void fillOperands(Operation *root, SmallVectorImpl<Operation *> &placeholders) {
  auto fill = [&](OpOperand &operand, Type type) {
    if (operand.get())
      return;
    OpBuilder builder(operand.getOwner());
    placeholders.push_back(UnrealizedConversionCastOp::create(builder, operand.getOwner()->getLoc(),
                                                              type, ValueRange()));
    operand.set(placeholders.back()->getResult(0));
  };
  root->walk([&](scf::ForOp loop) {
    for (auto [operands, argument] :
         llvm::zip(llvm::zip(loop.getInitArgsMutable(), *loop.getYieldedValuesMutable()),
                   loop.getRegionIterArgs())) {
      fill(std::get<0>(operands), argument.getType());
      fill(std::get<1>(operands), argument.getType());
    }
  });
  root->walk([&](scf::IfOp branch) {
    for (Region &region : branch->getRegions())
      if (branch.getNumResults())
        for (auto [operand, type] :
             llvm::zip(region.front().getTerminator()->getOpOperands(), branch.getResultTypes()))
          fill(operand, type);
  });
  root->walk([&](scf::WhileOp loop) {
    for (auto [init, yielded, argument] :
         llvm::zip(loop.getInitsMutable(), loop.getYieldOp().getResultsMutable(),
                   loop.getBeforeArguments())) {
      fill(init, argument.getType());
      fill(yielded, argument.getType());
    }
    for (auto [operand, type] :
         llvm::zip(loop.getConditionOp().getArgsMutable(), loop.getResultTypes()))
      fill(operand, type);
  });
}

LogicalResult ttjit::dropCarried(Operation *root, TypeFilter isChosen) {
  SmallVector<Operation *> placeholders;
  fillOperands(root, placeholders);
  TypeConverter types;
  types.addConversion([](Type type) { return type; });
  types.addConversion([&](Type type, SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
    return isChosen(type) ? std::optional(success()) : std::nullopt;
  });
  MLIRContext *context = root->getContext();
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  RewritePatternSet patterns(context);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyPartialConversion(root, target, std::move(patterns), config)))
    return failure();
  for (Operation *placeholder : placeholders)
    placeholder->erase();
  return success();
}

LogicalResult ttjit::dropBlockTensors(Operation *root) {
  return dropCarried(root, [](Type type) { return ttl::isBlockTensor(type); });
}
