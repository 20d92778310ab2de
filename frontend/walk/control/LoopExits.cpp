//===- LoopExits.cpp - run-time loops with `break` or `return` ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/control/LoopExits.h"

#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/CarriedValues.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/syntax/Ast.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

using namespace mlir;

namespace ttjit::frontend {

// Makes the extra results of a loop with `break` or `return`, which follow the results for its
// variables. The first tells whether the loop may go on. If the loop may return, the next ones tell
// how it ended and which value it returned.
ControlFlow::Exit ControlFlow::makeExit(py::handle node, Operation *loop) {
  OpBuilder &builder = walker.builder;
  const PathEnds &ends = walker.scopes.current().ends;
  Exit exit;
  auto add = [&](llvm::function_ref<mlir::Value()> init, mlir::Value yield) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop);
    exit.inits.push_back(init());
    exit.yields.push_back(yield);
  };
  mlir::Value goesOn = isOneOf(node, PathEnds::Falls | PathEnds::Continues);
  add([&] { return walker.constant(node, true); }, goesOn);
  if (!ends.may(PathEnds::Returns))
    return exit;
  exit.ends.kinds |= PathEnds::Returns;
  mlir::Value falls = walker.constant(node, int32_t(PathEnds::Falls));
  mlir::Value returns = walker.constant(node, int32_t(PathEnds::Returns));
  mlir::Value stays = isOneOf(node, PathEnds::Falls | PathEnds::Continues | PathEnds::Breaks);
  add([&] { return walker.constant(node, int32_t(PathEnds::Falls)); },
      arith::SelectOp::create(builder, walker.location(node), stays, falls, returns));
  const Value &returned = *walker.scopes.current().find(kReturnValue);
  if (returned.is<Missing>() || walker.carried.isOutside(returned, loop)) {
    exit.returned = returned;
    return exit;
  }
  exit.returnedKind = walker.carried.leaving(walker.carried.kindOf(walker.state, returned), loop);
  if (!CarriedValues::hasPlaceholder(exit.returnedKind)) {
    exit.returned = Missing{
        fmt::format("this function returns {} from inside a loop, and a value made there cannot "
                    "leave the loop by 'return': keep it in a variable that has a value before the "
                    "loop, write 'break', and return the variable after the loop",
                    describe(returned))};
    return exit;
  }
  walker.carried.materialize(node, walker.state, returned, exit.returnedKind, exit.yields);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  walker.carried.placeholder(node, exit.returnedKind, exit.inits);
  return exit;
}

void ControlFlow::leaveExit(const Exit &exit, ValueRange results) {
  Scope &scope = walker.scopes.current();
  scope.ends = exit.ends;
  if (!exit.ends.may(PathEnds::Returns))
    return;
  if (exit.ends.isMixed())
    scope.ends.code = results[1];
  ValueRange values = results.drop_front(2);
  scope.assign(kReturnValue,
               exit.returned ? *exit.returned : walker.carried.wrap(values, exit.returnedKind));
}

static void addArguments(mlir::Block *block, ValueRange values, Location loc) {
  for (mlir::Value value : values)
    block->addArgument(value.getType(), loc);
}

static SmallVector<mlir::Value> concat(ValueRange first, ValueRange second) {
  SmallVector<mlir::Value> all(first);
  all.append(second.begin(), second.end());
  return all;
}

scf::WhileOp makeWhile(OpBuilder &builder, scf::ForOp loop, ValueRange yields, ValueRange exitInits,
                       ValueRange exitYields) {
  Location loc = loop.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  SmallVector<mlir::Value> inits =
      concat(concat(loop.getLowerBound(), loop.getInitArgs()), exitInits);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto result = scf::WhileOp::create(builder, loc, types, inits);
  SmallVector<Location> locs(types.size(), loc);
  mlir::Block *test = builder.createBlock(&result.getBefore(), {}, types, locs);
  mlir::Value inRange = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                              test->getArgument(0), loop.getUpperBound());
  mlir::Value goesOn = test->getArgument(1 + loop.getNumRegionIterArgs());
  mlir::Value holds = arith::AndIOp::create(builder, loc, inRange, goesOn);
  scf::ConditionOp::create(builder, loc, holds, test->getArguments());
  result.getAfter().takeBody(loop.getRegion());
  mlir::Block *body = &result.getAfter().front();
  addArguments(body, exitInits, loc);
  if (body->mightHaveTerminator())
    body->getTerminator()->erase();
  builder.setInsertionPointToEnd(body);
  mlir::Value next = arith::AddIOp::create(builder, loc, body->getArgument(0), loop.getStep());
  scf::YieldOp::create(builder, loc, concat(concat(next, yields), exitYields));
  loop.erase();
  return result;
}

scf::WhileOp addExit(OpBuilder &builder, scf::WhileOp loop, ValueRange yields, ValueRange exitInits,
                     ValueRange exitYields) {
  Location loc = loop.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  SmallVector<mlir::Value> inits = concat(loop.getInits(), exitInits);
  auto result = scf::WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits);
  result.getBefore().takeBody(loop.getBefore());
  result.getAfter().takeBody(loop.getAfter());
  mlir::Block *test = &result.getBefore().front(), *body = &result.getAfter().front();
  mlir::Value goesOn = test->addArgument(exitInits[0].getType(), loc);
  addArguments(test, exitInits.drop_front(), loc);
  addArguments(body, exitInits, loc);

  auto condition = cast<scf::ConditionOp>(test->getTerminator());
  builder.setInsertionPointToStart(test);
  auto check = scf::IfOp::create(builder, loc, goesOn.getType(), goesOn, /*withElseRegion=*/true);
  mlir::Block *then = check.thenBlock();
  then->getOperations().splice(then->end(), test->getOperations(), std::next(check->getIterator()),
                               condition->getIterator());
  builder.setInsertionPointToEnd(then);
  scf::YieldOp::create(builder, loc, condition.getCondition());
  builder.setInsertionPointToEnd(check.elseBlock());
  mlir::Value no = arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 0);
  scf::YieldOp::create(builder, loc, no);
  condition->setOperands(concat(check.getResult(0), test->getArguments()));

  builder.setInsertionPointToEnd(body);
  scf::YieldOp::create(builder, loc, concat(yields, exitYields));
  loop.erase();
  return result;
}

} // namespace ttjit::frontend
