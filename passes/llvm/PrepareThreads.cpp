//===- PrepareThreads.cpp - thread arguments and loop steps ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// While loops still are loops, each iteration gets its step (design.md C8): one
// call at the end of the body, with the position of the loop.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/Writer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ttjit::tollvm;

static void addThreadArgument(func::FuncOp function) {
  Type pointer = LLVM::LLVMPointerType::get(function.getContext());
  function.setType(FunctionType::get(function.getContext(), pointer, {}));
  function.getBody().front().addArgument(pointer, function.getLoc());
}

static LogicalResult addStep(Operation *loop, Block *iteration, Writer &writer) {
  auto builder = OpBuilder::atBlockTerminator(iteration);
  Value position = writer.position(builder, loop);
  return success(writer.call(builder, loop, kStep, position) != nullptr);
}

LogicalResult ttjit::tollvm::prepareThreads(ModuleOp module, Writer &writer) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    addThreadArgument(function);
  WalkResult result = module.walk([&](Operation *op) {
    LogicalResult added = success();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      added = addStep(loop, loop.getBody(), writer);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      added = addStep(loop, loop.getAfterBody(), writer);
    return failed(added) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
