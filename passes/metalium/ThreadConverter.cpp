//===- ThreadConverter.cpp - one thread function to EmitC ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ThreadConverter.h"

#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// Emits a call of the kernel API function with the op's operands as arguments, in
// order.
static LogicalResult callByName(Operation *op, ThreadConverter &converter) {
  Type result;
  if (op->getNumResults() == 1 &&
      !(result = converter.convertType(ttkernel::typeOf(op->getResult(0)))))
    return op->emitOpError("has a result that cannot be emitted as C++");
  auto call =
      converter.call(op, ttkernel::calleeOf(op), converter.lookup(op->getOperands()), result, "");
  if (result)
    converter.map(op->getResult(0), call.getResult(0));
  return success();
}

//===--------------------------------------------------------------------------===//
// Values and types
//===--------------------------------------------------------------------------===//

ThreadConverter::ThreadConverter(func::FuncOp source, const EmitRules &rules,
                                 const ThreadNames &names, const hw::MetaliumVersion &version,
                                 bool isForHost)
    : builder(source), version(version), names(names), isForHost(isForHost), source(source),
      rules(rules) {}

SmallVector<Value> ThreadConverter::lookup(ValueRange range) {
  return llvm::map_to_vector(range, [&](Value value) { return lookup(value); });
}

Type ThreadConverter::convertType(Type type) { return ttkernel::emitcTypeOf(type); }

Value ThreadConverter::coerce(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return emitc::CastOp::create(builder, positionOf(value.getLoc()), type, value);
}

Value ThreadConverter::constant(int32_t value, Location position) {
  return emitc::ConstantOp::create(builder, position, builder.getI32Type(),
                                   builder.getI32IntegerAttr(value));
}

emitc::CallOpaqueOp ThreadConverter::call(Operation *op, StringRef callee, ValueRange operands,
                                          Type result, StringRef name,
                                          ArrayRef<Attribute> templateArgs) {
  Location position = positionOf(op->getLoc());
  Location loc = name.empty() ? position : namedLocation(name, position);
  SmallVector<Type, 1> results;
  if (result)
    results.push_back(result);
  return emitc::CallOpaqueOp::create(builder, loc, results, callee, operands, ArrayAttr(),
                                     templateArgs.empty() ? ArrayAttr()
                                                          : builder.getArrayAttr(templateArgs));
}

//===--------------------------------------------------------------------------===//
// Blocks and functions
//===--------------------------------------------------------------------------===//

static bool isDeadCall(Operation *op) {
  return ttkernel::isDeviceCall(op) && op->use_empty() && ttkernel::hasNoEffects(op);
}

LogicalResult ThreadConverter::convertOp(Operation *op) {
  if (isOpTriviallyDead(op) || isDeadCall(op))
    return success();
  if (EmitRule rule = rules.find(op))
    return rule(op, *this);
  if (ttkernel::rowOf(op))
    return rules.tileRow(op, *this);
  if (ttkernel::isDeviceCall(op))
    return callByName(op, *this);
  return op->emitOpError("cannot be emitted as C++");
}

LogicalResult ThreadConverter::convertBlock(Block &block) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (failed(convertOp(&op)))
      return failure();
  }
  return success();
}

FailureOr<emitc::FuncOp> ThreadConverter::convert() {
  if (source.getNumArguments() != 0 || source.getNumResults() != 0 ||
      !source.getBody().hasOneBlock())
    return source.emitOpError(
        "must have no arguments, no results and only structured control flow to be emitted as C++");
  auto target = emitc::FuncOp::create(builder, source.getLoc(), source.getName(),
                                      builder.getFunctionType({}, {}));
  target->setAttr(ttkernel::kThreadAttrName, source->getAttr(ttkernel::kThreadAttrName));
  builder.setInsertionPointToStart(target.addEntryBlock());
  rules.prologue(source, *this);
  if (failed(convertBlock(source.getBody().front()))) {
    target.erase();
    return failure();
  }
  rules.epilogue(source, *this);
  emitc::ReturnOp::create(builder, source.getLoc(), Value());
  return target;
}
