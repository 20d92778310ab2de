//===- CarriedValues.cpp - adds and removes values of loops and branches ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/CarriedValues.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Adding values
//===--------------------------------------------------------------------------===//

static Operation *carryThrough(scf::ForOp loop, ValueRange inits, CarryBody body) {
  IRRewriter rewriter(loop.getContext());
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    return body(loop.getRegion(), SmallVector<Value>(arguments));
  };
  return *loop.replaceWithAdditionalYields(rewriter, inits,
                                           /*replaceInitOperandUsesInLoop=*/false, yield);
}

static SmallVector<Type> moreTypes(TypeRange known, TypeRange types) {
  SmallVector<Type> all(known);
  llvm::append_range(all, types);
  return all;
}

// Moves the regions and uses of `old` to `fresh`, which has more results.
static Operation *replaceBy(Operation *fresh, Operation *old, TypeRange argumentTypes,
                            CarryBody body) {
  fresh->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  for (auto [region, from] : llvm::zip(fresh->getRegions(), old->getRegions())) {
    region.takeBody(from);
    if (region.empty()) {
      OpBuilder builder(fresh->getContext());
      builder.createBlock(&region);
      scf::YieldOp::create(builder, fresh->getLoc());
    }
    SmallVector<Value> arguments = llvm::map_to_vector(
        argumentTypes, [&](Type type) -> Value { return region.addArgument(type, old->getLoc()); });
    SmallVector<Value> yielded = body(region, arguments);
    Operation *terminator = region.front().getTerminator();
    terminator->insertOperands(terminator->getNumOperands(), yielded);
  }
  old->replaceAllUsesWith(fresh->getResults().take_front(old->getNumResults()));
  old->erase();
  return fresh;
}

Operation *ttjit::carryValues(Operation *op, TypeRange types, ValueRange inits, CarryBody body) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return carryThrough(loop, inits, body);
  SmallVector<Type> results = moreTypes(op->getResultTypes(), types);
  OpBuilder builder(op);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    SmallVector<Value> allInits(loop.getInits());
    llvm::append_range(allInits, inits);
    auto fresh = scf::WhileOp::create(builder, loop.getLoc(), results, allInits);
    return replaceBy(fresh, loop, types, body);
  }
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return nullptr;
  auto fresh = scf::IfOp::create(builder, branch.getLoc(), results, branch.getCondition(),
                                 /*addThenBlock=*/false, /*addElseBlock=*/false);
  return replaceBy(fresh, branch, {}, body);
}

//===--------------------------------------------------------------------------===//
// Removing values: MLIR's structural conversion maps their types to no type at all
//===--------------------------------------------------------------------------===//

using TypeFilter = llvm::function_ref<bool(Type)>;

// The conversion reads the types of all operands, but an operand is null if the op that
// made it was erased. Placeholders of the right type replace such operands.
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
