//===- PrepareThreads.cpp - thread arguments and loop steps -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every iteration counts as a step (--limit): a call at the end of each loop body,
// with the position of the loop, counts it. This runs before loops become branches.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ttjit::tollvm;

static void addThreadArgument(func::FuncOp function) {
  Type pointer = LLVM::LLVMPointerType::get(function.getContext());
  function.setType(FunctionType::get(function.getContext(), pointer, {}));
  function.getBody().front().addArgument(pointer, function.getLoc());
}

static LogicalResult addStep(Operation *loop, Block *iteration, CallBuilder &calls) {
  auto builder = OpBuilder::atBlockTerminator(iteration);
  Value position = calls.position(builder, loop);
  return success(calls.call(builder, loop, kStep, position) != nullptr);
}

LogicalResult ttjit::tollvm::prepareThreads(ModuleOp module, CallBuilder &calls) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    addThreadArgument(function);
  WalkResult result = module.walk([&](Operation *op) {
    LogicalResult added = success();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      added = addStep(loop, loop.getBody(), calls);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      added = addStep(loop, loop.getAfterBody(), calls);
    return failed(added) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
