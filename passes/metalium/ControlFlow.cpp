//===- ControlFlow.cpp - loops and branches with variables --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Values that a loop carries or a branch yields become variables, assigned at the end
// of the body. Before that a variable does not change, so the printer may write its
// name wherever the value is used.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/ThreadConverter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

using Variable = TypedValue<emitc::LValueType>;

//===--------------------------------------------------------------------------===//
// Variables
//===--------------------------------------------------------------------------===//

// Checks that every value that becomes a variable has a type in C++.
static LogicalResult checkTypes(Operation *op, TypeRange types, ThreadConverter &converter) {
  for (Type type : types)
    if (!converter.convertType(type))
      return op->emitOpError("carries a value of type ")
             << type << ", which cannot be emitted as C++";
  return success();
}

static Variable declare(ThreadConverter &converter, Type type, StringRef name, Location position) {
  OpBuilder &builder = converter.builder;
  return cast<Variable>(emitc::VariableOp::create(builder, namedLocation(name, position),
                                                  emitc::LValueType::get(type),
                                                  emitc::OpaqueAttr::get(builder.getContext(), ""))
                            .getResult());
}

static Value read(ThreadConverter &converter, Variable variable) {
  return emitc::LoadOp::create(converter.builder, positionOf(variable.getLoc()),
                               variable.getType().getValueType(), variable);
}

static void assign(ThreadConverter &converter, Variable variable, Value value, Location position) {
  emitc::AssignOp::create(converter.builder, position, variable,
                          converter.coerce(value, variable.getType().getValueType()));
}

// Returns the user's name of a carried value: its own, or that of its value in the
// next iteration.
static std::string carriedName(BlockArgument argument, Value next) {
  std::string name = userName(argument.getLoc());
  Operation *op = next.getDefiningOp();
  return name.empty() && op ? userName(op->getLoc()) : name;
}

// Declares a variable for each carried value, with its initial value.
static SmallVector<Variable> declareCarried(ThreadConverter &converter, ValueRange inits,
                                            ValueRange arguments, ValueRange next,
                                            Location position) {
  SmallVector<Variable> variables;
  for (auto [init, argument, value] : llvm::zip_equal(inits, arguments, next)) {
    variables.push_back(declare(converter, converter.convertType(init.getType()),
                                carriedName(cast<BlockArgument>(argument), value), position));
    assign(converter, variables.back(), converter.lookup(init), position);
  }
  return variables;
}

static void mapToReads(ThreadConverter &converter, ValueRange values,
                       ArrayRef<Variable> variables) {
  for (auto [value, variable] : llvm::zip_equal(values, variables))
    converter.map(value, read(converter, variable));
}

static Variable variableReadBy(Value value) {
  auto load = value.getDefiningOp<emitc::LoadOp>();
  return load ? load.getOperand() : Variable();
}

// Returns whether the C++ text of `value` would read one of the variables.
static bool readsAny(Value value, ArrayRef<Variable> variables) {
  Operation *op = value.getDefiningOp();
  if (!op || !isCppExpression(op))
    return false;
  if (Variable variable = variableReadBy(value))
    return llvm::is_contained(variables, variable);
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return readsAny(operand, variables); });
}

// Assigns all variables as if at the same time. If a value reads a variable that an
// earlier assignment overwrites, a further variable keeps the value from before the
// assignments.
static void assignTogether(ThreadConverter &converter, ArrayRef<Variable> variables,
                           ValueRange yielded, Location position) {
  SmallVector<Value> values = converter.lookup(yielded);
  for (auto [index, value] : llvm::enumerate(values)) {
    if (!readsAny(value, variables.take_front(index)))
      continue;
    Operation *early = converter.builder.clone(*value.getDefiningOp());
    StringRef variable = wantedName(variables[index]);
    std::string name = variable.empty() ? "next" : "next_" + variable.str();
    early->setLoc(namedLocation(name, position));
    value = early->getResult(0);
  }
  for (auto [variable, value] : llvm::zip_equal(variables, values))
    if (variableReadBy(value) != variable || !wantedName(value).empty())
      assign(converter, variable, value, position);
}

//===--------------------------------------------------------------------------===//
// scf.for
//===--------------------------------------------------------------------------===//

static LogicalResult forLoop(scf::ForOp op, ThreadConverter &converter) {
  if (op.getUnsignedCmp())
    return op.emitOpError("has an unsigned counter, which cannot be emitted as C++");
  if (failed(checkTypes(op, op.getResultTypes(), converter)))
    return failure();
  Location position = positionOf(op.getLoc());
  OpBuilder &builder = converter.builder;
  Type type = builder.getI32Type();
  ValueRange next = op.getBody()->getTerminator()->getOperands();
  SmallVector<Variable> variables =
      declareCarried(converter, op.getInitArgs(), op.getRegionIterArgs(), next, position);
  auto loop = emitc::ForOp::create(builder, position,
                                   converter.coerce(converter.lookup(op.getLowerBound()), type),
                                   converter.coerce(converter.lookup(op.getUpperBound()), type),
                                   converter.coerce(converter.lookup(op.getStep()), type));
  Value counter = loop.getInductionVar();
  converter.map(op.getInductionVar(), counter);
  // A loop that a pass made, and its counter, have the location of the op for which it
  // was made.
  Location named = op.getInductionVar().getLoc();
  counter.setLoc(named == op.getLoc() ? position : namedLocation(userName(named), position));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getRegion().front().getTerminator());
    mapToReads(converter, op.getRegionIterArgs(), variables);
    if (failed(converter.convertBlock(*op.getBody())))
      return failure();
    assignTogether(converter, variables, next, position);
  }
  mapToReads(converter, op.getResults(), variables);
  return success();
}

//===--------------------------------------------------------------------------===//
// scf.if
//===--------------------------------------------------------------------------===//

// Adds the terminator: emitc.if is created with empty blocks.
static void terminate(Region &region, OpBuilder &builder, Location position) {
  builder.setInsertionPointToStart(&region.front());
  builder.setInsertionPoint(emitc::YieldOp::create(builder, position));
}

static LogicalResult branch(scf::IfOp op, ThreadConverter &converter) {
  if (failed(checkTypes(op, op.getResultTypes(), converter)))
    return failure();
  Location position = positionOf(op.getLoc());
  OpBuilder &builder = converter.builder;
  SmallVector<Variable> variables;
  std::string name = userName(op.getLoc());
  for (Type type : op.getResultTypes())
    variables.push_back(declare(converter, converter.convertType(type),
                                name.empty() ? "chosen" : StringRef(name), position));
  auto target = emitc::IfOp::create(builder, position, converter.lookup(op.getCondition()),
                                    /*addThenBlock=*/true, /*addElseBlock=*/!!op.elseBlock());
  auto convertBranch = [&](Block *from, Region &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    terminate(to, builder, position);
    if (failed(converter.convertBlock(*from)))
      return failure();
    assignTogether(converter, variables, from->getTerminator()->getOperands(), position);
    return success();
  };
  if (failed(convertBranch(op.thenBlock(), target.getThenRegion())))
    return failure();
  if (op.elseBlock() && failed(convertBranch(op.elseBlock(), target.getElseRegion())))
    return failure();
  mapToReads(converter, op.getResults(), variables);
  return success();
}

//===--------------------------------------------------------------------------===//
// scf.while: an endless loop with a break in its middle
//===--------------------------------------------------------------------------===//

static Value negate(ThreadConverter &converter, Value condition, Location position) {
  using emitc::CmpPredicate;
  static constexpr std::pair<CmpPredicate, CmpPredicate> opposites[] = {
      {CmpPredicate::eq, CmpPredicate::ne}, {CmpPredicate::ne, CmpPredicate::eq},
      {CmpPredicate::lt, CmpPredicate::ge}, {CmpPredicate::ge, CmpPredicate::lt},
      {CmpPredicate::le, CmpPredicate::gt}, {CmpPredicate::gt, CmpPredicate::le}};
  Type bit = converter.builder.getI1Type();
  auto compare = condition.getDefiningOp<emitc::CmpOp>();
  // Floats are excluded: if they are unordered, the opposite comparison is wrong.
  if (compare && compare.getLhs().getType().isInteger())
    for (auto [predicate, opposite] : opposites)
      if (compare.getPredicate() == predicate)
        return emitc::CmpOp::create(converter.builder, position, bit, opposite, compare.getLhs(),
                                    compare.getRhs());
  return emitc::LogicalNotOp::create(converter.builder, position, bit, condition);
}

static void fillEndlessCondition(emitc::DoOp loop, OpBuilder &builder, Location position) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loop.getConditionRegion().emplaceBlock());
  Type bit = builder.getI1Type();
  auto condition = emitc::ExpressionOp::create(builder, position, bit, ValueRange());
  emitc::YieldOp::create(builder, position, condition.getResult());
  builder.setInsertionPointToStart(&condition.createBody());
  Value always = emitc::ConstantOp::create(builder, position, bit, builder.getBoolAttr(true));
  emitc::YieldOp::create(builder, position, always);
}

namespace {
// The results of a loop that are used, and their values when the loop ends.
struct LoopResults {
  SmallVector<Variable> variables;
  SmallVector<Value> used, leaving;
};
} // namespace

static LoopResults declareResults(scf::WhileOp op, ThreadConverter &converter, Location position) {
  LoopResults results;
  for (auto [value, argument, result] :
       llvm::zip_equal(op.getConditionOp().getArgs(), op.getAfterArguments(), op.getResults())) {
    if (result.use_empty())
      continue;
    results.variables.push_back(declare(converter, converter.convertType(value.getType()),
                                        carriedName(argument, value), position));
    results.used.push_back(result);
    results.leaving.push_back(value);
  }
  return results;
}

static void leaveUnless(Value condition, const LoopResults &results, ThreadConverter &converter,
                        Location position) {
  OpBuilder &builder = converter.builder;
  Value leaves = negate(converter, converter.lookup(condition), position);
  auto exit = emitc::IfOp::create(builder, position, leaves, /*addThenBlock=*/true,
                                  /*addElseBlock=*/false);
  OpBuilder::InsertionGuard guard(builder);
  terminate(exit.getThenRegion(), builder, position);
  assignTogether(converter, results.variables, results.leaving, position);
  emitc::VerbatimOp::create(builder, position, "break;");
}

static LogicalResult whileBody(scf::WhileOp op, ArrayRef<Variable> variables,
                               const LoopResults &results, ThreadConverter &converter,
                               Location position) {
  mapToReads(converter, op.getBeforeArguments(), variables);
  if (failed(converter.convertBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  leaveUnless(condition.getCondition(), results, converter, position);
  for (auto [argument, value] : llvm::zip_equal(op.getAfterArguments(), condition.getArgs()))
    converter.map(argument, converter.lookup(value));
  if (failed(converter.convertBlock(*op.getAfterBody())))
    return failure();
  assignTogether(converter, variables, op.getYieldOp().getOperands(), position);
  return success();
}

static LogicalResult whileLoop(scf::WhileOp op, ThreadConverter &converter) {
  if (failed(checkTypes(op, op.getInits().getTypes(), converter)) ||
      failed(checkTypes(op, op.getResultTypes(), converter)))
    return failure();
  Location position = positionOf(op.getLoc());
  OpBuilder &builder = converter.builder;
  LoopResults results = declareResults(op, converter, position);
  SmallVector<Variable> variables = declareCarried(
      converter, op.getInits(), op.getBeforeArguments(), op.getYieldOp().getOperands(), position);
  auto loop = emitc::DoOp::create(builder, position);
  fillEndlessCondition(loop, builder, position);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&loop.getBodyRegion().emplaceBlock());
    if (failed(whileBody(op, variables, results, converter, position)))
      return failure();
  }
  mapToReads(converter, results.used, results.variables);
  return success();
}

void tometalium::addControlFlowRules(EmitRules &rules) {
  rules.add<scf::ForOp, forLoop>();
  rules.add<scf::IfOp, branch>();
  rules.add<scf::WhileOp, whileLoop>();
}
