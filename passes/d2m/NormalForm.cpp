//===- NormalForm.cpp - spellings of d2m programs as one ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/NormalForm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the function of a thread.
static FailureOr<func::FuncOp> functionOf(d2m::GenericOp generic, d2m::ThreadAttr thread) {
  SymbolRefAttr symbol = thread.getKernelSymbol(); // the verifier asks for one
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(generic, symbol);
  if (!function)
    return generic.emitOpError("runs a function that does not exist: ") << symbol;
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()) ||
      function.getNumArguments() || function.getNumResults())
    return generic.emitOpError(
               "runs a function that must have a body of one block, no arguments and "
               "no results: ")
           << symbol;
  return function;
}

static LogicalResult takeFunctions(d2m::GenericOp &generic) {
  SmallVector<func::FuncOp> functions;
  for (unsigned i = 0; i < generic.getThreads().size(); ++i) {
    FailureOr<func::FuncOp> function = functionOf(generic, generic.getThread(i));
    if (failed(function))
      return failure();
    functions.push_back(*function);
  }
  OperationState state(generic.getLoc(), generic->getName(), generic->getOperands(),
                       generic->getResultTypes(), generic->getAttrs());
  if (generic.getIndexingMaps().empty()) // the functions have the loops
    state.attributes.set("block_factors", ArrayAttr::get(generic.getContext(), {}));
  for (func::FuncOp function : functions) {
    Block &body = state.addRegion()->emplaceBlock();
    OpBuilder inside(generic.getContext());
    inside.setInsertionPointToEnd(&body);
    IRMapping values;
    for (Operation &op : function.getBody().front().without_terminator())
      inside.clone(op, values);
  }
  OpBuilder builder(generic);
  Operation *made = builder.create(state);
  generic->replaceAllUsesWith(made);
  generic->erase();
  generic = cast<d2m::GenericOp>(made);
  return success();
}

static LogicalResult replaceArguments(d2m::GenericOp generic) {
  WalkResult result = generic->walk([&](d2m::GetArgOp op) -> WalkResult {
    uint64_t number = op.getOperandIndex();
    if (number >= generic->getNumOperands())
      return op.emitOpError("is operand ")
             << number << ", but the d2m.generic has " << generic->getNumOperands() << " operands";
    Value operand = generic->getOperand(number);
    if (operand.getType() != op.getResult().getType())
      return op.emitOpError("must have the type of operand ")
             << number << ", " << operand.getType() << ", found " << op.getResult().getType();
    op.getResult().replaceAllUsesWith(operand);
    op.erase();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

FailureOr<d2m::GenericOp> ttjit::toNormalForm(d2m::GenericOp generic) {
  if (generic->getNumRegions() == 0 && failed(takeFunctions(generic)))
    return failure();
  if (failed(replaceArguments(generic)))
    return failure();
  return generic;
}
