//===- Scalars.cpp - emits arithmetic as C++ ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// index and i32 both become int32_t: conversions between them emit no code. Checks that
// only the host makes emit none either.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/ThreadConverter.h"

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Matchers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// Returns whether the op's name is the user's. Arithmetic that a pass makes has the location, and
// so the name, of the op for which it was made; that name does not apply to it.
static bool isOfUser(Operation *op) {
  Type type = op->getResult(0).getType();
  return isa<ttl::TTLDialect>(op->getDialect()) || type.isInteger(1) || type.isF32() ||
         isa<arith::SelectOp>(op);
}

static Location resultLocation(Operation *op) {
  return namedLocation(isOfUser(op) ? userName(op->getLoc()) : "", positionOf(op->getLoc()));
}

static LogicalResult noCounterpart(Operation *op) {
  return op->emitOpError("has a type that cannot be emitted as C++");
}

//===--------------------------------------------------------------------------===//
// Operators and functions
//===--------------------------------------------------------------------------===//

template <typename Target>
static LogicalResult toOperator(Operation *op, ThreadConverter &converter) {
  Type type = converter.convertType(op->getResult(0).getType());
  if (!type)
    return noCounterpart(op);
  converter.map(op->getResult(0), Target::create(converter.builder, resultLocation(op), type,
                                                 converter.lookup(op->getOperands())));
  return success();
}

// Emits an operator on reinterpreted operands: C++ has no unsigned operators on int32_t.
template <typename Target>
static LogicalResult toUnsigned(Operation *op, ThreadConverter &converter) {
  Type type = converter.convertType(op->getResult(0).getType());
  if (!type || type.isInteger(1))
    return noCounterpart(op);
  Type bits = converter.builder.getIntegerType(32, /*isSigned=*/false);
  SmallVector<Value> operands = converter.lookup(op->getOperands());
  for (Value &operand : operands)
    operand = converter.coerce(operand, bits);
  Value result = Target::create(converter.builder, positionOf(op->getLoc()), bits, operands);
  converter.map(op->getResult(0),
                emitc::CastOp::create(converter.builder, resultLocation(op), type, result));
  return success();
}

// Emits unsigned arithmetic if an overflow is allowed: that of int32_t is undefined in C++.
template <typename Target> static LogicalResult mayWrap(Operation *op, ThreadConverter &converter) {
  return op->hasAttr(ttl::kWrapsAttr) ? toUnsigned<Target>(op, converter)
                                      : toOperator<Target>(op, converter);
}

// Emits the logical operator for bits, the bitwise operator for numbers.
template <typename OnBits, typename OnNumbers>
static LogicalResult byKind(Operation *op, ThreadConverter &converter) {
  return op->getResult(0).getType().isInteger(1) ? toOperator<OnBits>(op, converter)
                                                 : toOperator<OnNumbers>(op, converter);
}

// Calls a function of EmittedFunctions.h.
template <const char *name>
static LogicalResult toHelper(Operation *op, ThreadConverter &converter) {
  Type type = converter.convertType(op->getResult(0).getType());
  if (!type)
    return noCounterpart(op);
  auto call = emitc::CallOpaqueOp::create(converter.builder, resultLocation(op), TypeRange{type},
                                          name, converter.lookup(op->getOperands()));
  converter.map(op->getResult(0), call.getResult(0));
  return success();
}

// Applies the rule of an integer operation of the user, and marks the op that it makes: that may
// fault on the host.
template <LogicalResult (*rule)(Operation *, ThreadConverter &)>
static LogicalResult mayFault(Operation *op, ThreadConverter &converter) {
  if (failed(rule(op, converter)))
    return failure();
  Operation *made = converter.lookup(op->getResult(0)).getDefiningOp();
  if (converter.isForHost)
    made->setAttr(kMayFaultAttr, converter.builder.getUnitAttr());
  return success();
}

static constexpr char kFloorDiv[] = "ttl_floordiv", kMod[] = "ttl_mod", kPow[] = "ttl_pow",
                      kAbs[] = "ttl_abs", kMin[] = "ttl_min", kMax[] = "ttl_max",
                      kCeilDiv[] = "ttl_ceildiv", kFmod[] = "ttl_fmod", kFloat[] = "ttl_float";

// Emits a power. On the host, a negative exponent is a fault.
static LogicalResult power(Operation *op, ThreadConverter &converter) {
  Value exponent = converter.lookup(op->getOperand(1));
  std::optional<int64_t> known = numberOf(exponent);
  if (converter.isForHost && (!known || *known < 0)) {
    OpBuilder &builder = converter.builder;
    Location loc = positionOf(op->getLoc());
    Value zero =
        emitc::ConstantOp::create(builder, loc, exponent.getType(), builder.getI32IntegerAttr(0));
    Value holds = emitc::CmpOp::create(builder, loc, builder.getI1Type(), emitc::CmpPredicate::ge,
                                       exponent, zero);
    emitHostCheck(op, converter, holds, "negative exponent");
  }
  return toHelper<kPow>(op, converter);
}

//===--------------------------------------------------------------------------===//
// Comparison and selection
//===--------------------------------------------------------------------------===//

static LogicalResult finishCompare(Operation *op, ThreadConverter &converter,
                                   emitc::CmpPredicate predicate, Value lhs, Value rhs) {
  converter.map(op->getResult(0),
                emitc::CmpOp::create(converter.builder, resultLocation(op),
                                     converter.builder.getI1Type(), predicate, lhs, rhs));
  return success();
}

static LogicalResult compareInts(arith::CmpIOp op, ThreadConverter &converter) {
  using emitc::CmpPredicate;
  // The comparisons in the order of arith::CmpIPredicate.
  static constexpr CmpPredicate predicates[] = {
      CmpPredicate::eq, CmpPredicate::ne, CmpPredicate::lt, CmpPredicate::le, CmpPredicate::gt,
      CmpPredicate::ge, CmpPredicate::lt, CmpPredicate::le, CmpPredicate::gt, CmpPredicate::ge};
  auto number = static_cast<size_t>(op.getPredicate());
  Value lhs = converter.lookup(op.getLhs()), rhs = converter.lookup(op.getRhs());
  if (number >= 2 && number < 6 && lhs.getType().isInteger(1))
    std::swap(lhs, rhs); // a signed bit is 0 or -1, but a bool is 0 or 1
  if (number >= 6 && !lhs.getType().isInteger(1)) {
    Type type = converter.builder.getIntegerType(32, /*isSigned=*/false);
    lhs = converter.coerce(lhs, type);
    rhs = converter.coerce(rhs, type);
  }
  return finishCompare(op, converter, predicates[number], lhs, rhs);
}

static LogicalResult compareFloats(arith::CmpFOp op, ThreadConverter &converter) {
  using arith::CmpFPredicate;
  using emitc::CmpPredicate;
  static constexpr std::pair<CmpFPredicate, CmpPredicate> predicates[] = {
      {CmpFPredicate::OEQ, CmpPredicate::eq}, {CmpFPredicate::UNE, CmpPredicate::ne},
      {CmpFPredicate::OLT, CmpPredicate::lt}, {CmpFPredicate::OLE, CmpPredicate::le},
      {CmpFPredicate::OGT, CmpPredicate::gt}, {CmpFPredicate::OGE, CmpPredicate::ge}};
  for (auto [from, to] : predicates)
    if (op.getPredicate() == from)
      return finishCompare(op, converter, to, converter.lookup(op.getLhs()),
                           converter.lookup(op.getRhs()));
  return op.emitOpError("has a predicate that no C++ operator has");
}

static LogicalResult select(arith::SelectOp op, ThreadConverter &converter) {
  Value yes = converter.lookup(op.getTrueValue());
  Value no = converter.coerce(converter.lookup(op.getFalseValue()), yes.getType());
  converter.map(op.getResult(),
                emitc::ConditionalOp::create(converter.builder, resultLocation(op), yes.getType(),
                                             converter.lookup(op.getCondition()), yes, no));
  return success();
}

// Emits an exclusive or. In arith, `xor` with true means "not".
static LogicalResult exclusiveOr(arith::XOrIOp op, ThreadConverter &converter) {
  if (!op.getType().isInteger(1))
    return toOperator<emitc::BitwiseXorOp>(op, converter);
  Value lhs = converter.lookup(op.getLhs());
  if (matchPattern(op.getRhs(), m_One())) {
    converter.map(op.getResult(), emitc::LogicalNotOp::create(converter.builder, resultLocation(op),
                                                              converter.builder.getI1Type(), lhs));
    return success();
  }
  return finishCompare(op, converter, emitc::CmpPredicate::ne, lhs, converter.lookup(op.getRhs()));
}

//===--------------------------------------------------------------------------===//
// Constants and conversions
//===--------------------------------------------------------------------------===//

static LogicalResult constant(arith::ConstantOp op, ThreadConverter &converter) {
  OpBuilder &builder = converter.builder;
  Type type = converter.convertType(op.getType());
  if (!type)
    return noCounterpart(op);
  Attribute value = op.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value); integer && !type.isInteger(1)) {
    if (!integer.getValue().isSignedIntN(32))
      return op.emitOpError("has a value that does not fit into int32_t");
    value = builder.getI32IntegerAttr(integer.getInt());
  }
  converter.map(op.getResult(),
                emitc::ConstantOp::create(builder, positionOf(op.getLoc()), type, value));
  return success();
}

// The result is the operand in C++. The cast of a coordinate to i32 has the user's name.
static LogicalResult sameValue(Operation *op, ThreadConverter &converter) {
  if (!converter.convertType(op->getResult(0).getType()))
    return noCounterpart(op);
  Value value = converter.lookup(op->getOperand(0));
  converter.map(op->getResult(0), value);
  Operation *origin = op->getOperand(0).getDefiningOp();
  if (!ttkernel::isCall<ttkernel::MyLogicalXOp, ttkernel::MyLogicalYOp>(origin))
    return success();
  if (std::string name = userName(op->getLoc()); !name.empty())
    value.setLoc(namedLocation(name, positionOf(value.getLoc())));
  return success();
}

static LogicalResult convert(Operation *op, ThreadConverter &converter) {
  return toOperator<emitc::CastOp>(op, converter);
}

// A fill of an integer block takes the integer itself (IntegerCalls.cpp), as a store of an integer
// element does, and a load of an integer element gives it (HostCalls.cpp).
static LogicalResult bitcast(arith::BitcastOp op, ThreadConverter &converter) {
  if (op.getType().isInteger(32)) {
    auto load = ttkernel::definingCall<ttkernel::LoadElementOp>(op.getIn());
    if (!load || isa<FloatType>(load.getFormat()))
      return op.emitError("only the bits of an element that is an integer can be an i32");
    converter.map(op.getResult(), converter.lookup(load));
    return success();
  }
  bool isUnused = llvm::all_of(op->getUsers(), [](Operation *user) {
    auto fill = ttkernel::asCall<ttkernel::FillTileOp>(user);
    auto store = ttkernel::asCall<ttkernel::StoreElementOp>(user);
    return (fill && fill.getInteger()) || (store && isa<IntegerType>(store.getFormat()));
  });
  return isUnused ? success() : toHelper<kFloat>(op, converter);
}

static LogicalResult extendUnsigned(arith::ExtUIOp op, ThreadConverter &converter) {
  return op.getIn().getType().isInteger(1) ? convert(op, converter) : sameValue(op, converter);
}

void tometalium::addScalarRules(EmitRules &rules) {
  rules.add<arith::ConstantOp, constant>();
  rules.add<arith::AddIOp>(mayWrap<emitc::AddOp>);
  rules.add<arith::SubIOp>(toOperator<emitc::SubOp>);
  rules.add<arith::MulIOp>(mayWrap<emitc::MulOp>);
  rules.add<arith::DivSIOp>(toOperator<emitc::DivOp>);
  rules.add<arith::DivUIOp>(toUnsigned<emitc::DivOp>);
  rules.add<arith::RemSIOp>(toOperator<emitc::RemOp>);
  rules.add<arith::RemUIOp>(toUnsigned<emitc::RemOp>);
  rules.add<arith::FloorDivSIOp>(toHelper<kFloorDiv>);
  rules.add<arith::CeilDivSIOp>(toHelper<kCeilDiv>);
  rules.add<arith::MinSIOp>(toHelper<kMin>);
  rules.add<arith::MaxSIOp>(toHelper<kMax>);
  rules.add<arith::ShLIOp>(toOperator<emitc::BitwiseLeftShiftOp>);
  rules.add<arith::ShRSIOp>(toOperator<emitc::BitwiseRightShiftOp>);
  rules.add<arith::ShRUIOp>(toUnsigned<emitc::BitwiseRightShiftOp>);
  rules.add<arith::AndIOp>(byKind<emitc::LogicalAndOp, emitc::BitwiseAndOp>);
  rules.add<arith::OrIOp>(byKind<emitc::LogicalOrOp, emitc::BitwiseOrOp>);
  rules.add<arith::XOrIOp, exclusiveOr>();
  rules.add<arith::CmpIOp, compareInts>();
  rules.add<arith::CmpFOp, compareFloats>();
  rules.add<arith::SelectOp, select>();
  rules.add<arith::IndexCastOp>(sameValue);
  rules.add<arith::IndexCastUIOp>(sameValue);
  rules.add<arith::ExtUIOp, extendUnsigned>();
  rules.add<arith::AddFOp>(toOperator<emitc::AddOp>);
  rules.add<arith::SubFOp>(toOperator<emitc::SubOp>);
  rules.add<arith::MulFOp>(toOperator<emitc::MulOp>);
  rules.add<arith::DivFOp>(toOperator<emitc::DivOp>);
  rules.add<arith::BitcastOp, bitcast>();
  rules.add<arith::RemFOp>(toHelper<kFmod>);
  rules.add<arith::NegFOp>(toOperator<emitc::UnaryMinusOp>);
  rules.add<arith::SIToFPOp>(convert);
  rules.add<arith::FPToSIOp>(convert);
  rules.add<ttl::IntAddOp>(mayFault<toOperator<emitc::AddOp>>);
  rules.add<ttl::IntSubOp>(mayFault<toOperator<emitc::SubOp>>);
  rules.add<ttl::IntMulOp>(mayFault<toOperator<emitc::MulOp>>);
  rules.add<ttl::IntNegOp>(mayFault<toOperator<emitc::UnaryMinusOp>>);
  rules.add<ttl::IntFloorDivOp>(mayFault<toHelper<kFloorDiv>>);
  rules.add<ttl::IntModOp>(mayFault<toHelper<kMod>>);
  rules.add<ttl::IntPowOp>(mayFault<power>);
  rules.add<ttl::IntAbsOp>(mayFault<toHelper<kAbs>>);
}
