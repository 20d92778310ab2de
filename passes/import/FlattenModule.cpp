//===- FlattenModule.cpp - ttir-flatten-module --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: tt-mlir puts functions into a module of the device inside of the module, and computes
// what depends on weights only in functions of their own. A function becomes kernels only if all of
// its ops are in its own block.
//
// 1. Move what is in ttcore.device_module to the module, and drop ttcore.cpu_module.
// 2. Replace each func.call and ttcore.load_cached by the ops of the function that it calls.
// 3. Drop functions that nothing but these calls can use: private ones, and those for constants.
//
// Rejects: calls of functions without a body, with several blocks, or that call themselves.
//===--------------------------------------------------------------------------===//

#include "passes/import/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace ttjit {
#define GEN_PASS_DEF_FLATTENMODULE
#include "passes/import/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace ttjit;

static bool hasName(Operation &op, StringRef name) { return op.getName().getStringRef() == name; }

//===--------------------------------------------------------------------------===//
// Modules in the module
//===--------------------------------------------------------------------------===//

// Moves the ops of a block in front of `place`.
static LogicalResult moveOut(Block &block, Operation *place, ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    StringAttr name = SymbolTable::getSymbolName(&op);
    if (name && module.lookupSymbol(name))
      return op.emitOpError() << "has the name of another function of the module: @"
                              << name.getValue();
    op.moveBefore(place);
  }
  return success();
}

static LogicalResult flattenModules(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (hasName(op, "ttcore.cpu_module")) {
      op.erase();
    } else if (hasName(op, "ttcore.device_module")) {
      for (auto inner : op.getRegion(0).getOps<ModuleOp>())
        if (failed(moveOut(*inner.getBody(), &op, module)))
          return failure();
      op.erase();
    }
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

static FlatSymbolRefAttr calleeOf(Operation &op) {
  bool isCall = isa<func::CallOp>(op) || hasName(op, "ttcore.load_cached");
  return isCall ? op.getAttrOfType<FlatSymbolRefAttr>("callee") : FlatSymbolRefAttr();
}

namespace {

class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module) {}

  LogicalResult run(func::FuncOp function);
  void dropInlined();

  int64_t count = 0;

private:
  LogicalResult inlineCall(Operation &call, FlatSymbolRefAttr callee);

  ModuleOp module;
  SmallVector<func::FuncOp> active; // functions whose calls are being inlined
  DenseSet<Operation *> done, inlined;
};

} // namespace

LogicalResult Inliner::inlineCall(Operation &call, FlatSymbolRefAttr callee) {
  auto function = module.lookupSymbol<func::FuncOp>(callee.getValue());
  if (!function || function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return call.emitOpError() << "cannot call " << callee
                              << ": it needs a function of this module with one block";
  if (llvm::is_contained(active, function))
    return call.emitOpError()
           << "calls " << callee
           << ", which calls itself: calls are inlined, so recursion is not supported";
  if (function.getArgumentTypes() != call.getOperandTypes() ||
      function.getResultTypes() != call.getResultTypes())
    return call.emitOpError() << "has other types than " << callee << ": "
                              << function.getFunctionType();
  if (failed(run(function)))
    return failure();
  OpBuilder builder(&call);
  IRMapping mapping;
  mapping.map(function.getArguments(), call.getOperands());
  for (Operation &op : function.getBody().front().without_terminator())
    builder.clone(op, mapping);
  Operation *end = function.getBody().front().getTerminator();
  for (auto [result, value] : llvm::zip(call.getResults(), end->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  inlined.insert(function);
  ++count;
  return success();
}

LogicalResult Inliner::run(func::FuncOp function) {
  if (!done.insert(function).second || function.isExternal())
    return success();
  active.push_back(function);
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(block))
      if (FlatSymbolRefAttr callee = calleeOf(op); callee && failed(inlineCall(op, callee)))
        return failure();
  active.pop_back();
  return success();
}

void Inliner::dropInlined() {
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    auto kind = function->getAttrOfType<StringAttr>("tt.function_type");
    bool isConstant = function->hasAttr("const_eval") || (kind && kind.getValue() == "const_eval");
    if (inlined.contains(function) && (function.isPrivate() || isConstant))
      function.erase();
  }
}

namespace {
struct FlattenModule : ttjit::impl::FlattenModuleBase<FlattenModule> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(flattenModules(module)))
      return signalPassFailure();
    Inliner inliner(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(inliner.run(function)))
        return signalPassFailure();
    inliner.dropInlined();
    numInlined += inliner.count;
  }
};
} // namespace
