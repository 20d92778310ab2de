//===- Scalars.cpp - numbers of kernel functions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/numbers/Scalars.h"

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/FloatDivision.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

namespace {
struct Operator {
  std::string_view ast; // the name of the operator's class in Python's module `ast`
  const char *symbol;   // how messages write the operator
  const char *function; // the name of its function in Python's module `operator`
};
} // namespace

static constexpr Operator kOperators[] = {
    {"Add", "+", "add"},
    {"Sub", "-", "sub"},
    {"Mult", "*", "mul"},
    {"Div", "/", "truediv"},
    {"FloorDiv", "//", "floordiv"},
    {"Mod", "%", "mod"},
    {"Pow", "**", "pow"},
    {"MatMult", "@", "matmul"},
    {"LShift", "<<", "lshift"},
    {"RShift", ">>", "rshift"},
    {"BitAnd", "&", "and_"},
    {"BitOr", "|", "or_"},
    {"BitXor", "^", "xor"},
    {"USub", "-", "neg"},
    {"UAdd", "+", "pos"},
    {"Invert", "~", "invert"},
    {"Not", "not", "not_"},
    {"Eq", "==", "eq"},
    {"NotEq", "!=", "ne"},
    {"Lt", "<", "lt"},
    {"LtE", "<=", "le"},
    {"Gt", ">", "gt"},
    {"GtE", ">=", "ge"},
};

static const Operator &operatorOf(std::string_view ast) {
  return *llvm::find_if(kOperators, [&](const Operator &op) { return op.ast == ast; });
}

// Returns the Python integer to which `object` converts, null if it does not. An array of several
// elements has the method __index__, which raises an exception.
static py::object integerOf(py::handle object) {
  if (!PyIndex_Check(object.ptr()))
    return {};
  PyObject *number = PyNumber_Index(object.ptr());
  if (!number)
    PyErr_Clear();
  return py::reinterpret_steal<py::object>(number);
}

std::optional<int64_t> Scalars::staticInt(const Value &value) {
  const Static *object = value.getIf<Static>();
  py::object integer = object ? integerOf(object->object) : py::object();
  if (!integer)
    return std::nullopt;
  // This limit is beyond every 32-bit range, and small enough that sums of several numbers do not
  // overflow.
  constexpr int64_t limit = int64_t(1) << 60;
  int overflow = 0;
  int64_t number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow)
    return overflow * limit;
  return std::clamp(number, -limit, limit);
}

//===--------------------------------------------------------------------------===//
// Types and conversions
//===--------------------------------------------------------------------------===//

Type Scalars::typeOf(const Value &value) const {
  if (const Scalar *scalar = value.getIf<Scalar>())
    return scalar->value.getType();
  const Static *object = value.getIf<Static>();
  if (!object)
    return {};
  py::handle python = object->object;
  if (py::isinstance<py::bool_>(python))
    return walker.builder.getI1Type();
  if (integerOf(python))
    return walker.builder.getI32Type();
  if (PyFloat_Check(python.ptr()) ||
      (PyNumber_Check(python.ptr()) && py::hasattr(python, "__float__"_py) &&
       !py::hasattr(python, "__len__"_py)))
    return walker.builder.getF32Type();
  return {};
}

Type Scalars::join(Type lhs, Type rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs == rhs ? lhs : Type();
  auto rank = [](Type type) {
    return type.isF32() ? 2 : type.isInteger(32) ? 1 : type.isInteger(1) ? 0 : -1;
  };
  if (rank(lhs) < 0 || rank(rhs) < 0)
    return {};
  return rank(lhs) > rank(rhs) ? lhs : rhs;
}

mlir::Value Scalars::convert(py::handle node, mlir::Value value, Type type) {
  Location loc = walker.location(node);
  if (value.getType() == type)
    return value;
  if (value.getType().isInteger(1)) {
    mlir::Value wide =
        arith::ExtUIOp::create(walker.builder, loc, walker.builder.getI32Type(), value);
    return convert(node, wide, type);
  }
  if (type.isF32() && value.getType().isInteger(32))
    return arith::SIToFPOp::create(walker.builder, loc, type, value);
  walker.diagnostics.fail(
      node, fmt::format("this must be an integer, found {}", describeNoInteger(Scalar{value})));
}

// Converts a Python number to a 32-bit float of the kernel.
static float floatOf(const Diagnostics &diagnostics, py::handle node, py::handle object) {
  double number = PyFloat_AsDouble(object.ptr());
  if (number == -1.0 && PyErr_Occurred())
    throw py::error_already_set();
  auto result = static_cast<float>(number);
  if (std::isinf(result) && !std::isinf(number))
    diagnostics.fail(node, fmt::format("{} does not fit in a run-time float of 32 bits", number));
  return result;
}

// Returns an integer as text for a message. Python refuses to print very long integers.
static std::string integerText(py::handle number) {
  auto bits = number.attr("bit_length"_py)().cast<size_t>();
  return bits <= 128 ? text(py::str(number)) : fmt::format("an integer of {} bits", bits);
}

mlir::Value Scalars::materializeStatic(py::handle node, py::handle object, Type type) {
  if (type.isInteger(1))
    return walker.constant(node, PyObject_IsTrue(object.ptr()) == 1);
  if (type.isF32())
    return walker.constant(node, floatOf(walker.diagnostics, node, object));
  int overflow = 0;
  py::object number = integerOf(object);
  long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow || value != static_cast<int32_t>(value))
    walker.diagnostics.fail(
        node, fmt::format("{} does not fit in a run-time integer of 32 bits", integerText(number)));
  return walker.constant(node, static_cast<int32_t>(value));
}

mlir::Value Scalars::materialize(py::handle node, const Value &value, Type type) {
  if (const Static *object = value.getIf<Static>())
    return materializeStatic(node, object->object, type);
  return convert(node, value.getIf<Scalar>()->value, type);
}

mlir::Value Scalars::asI32(py::handle node, const Value &value) {
  Type type = typeOf(value);
  if (!type || type.isF32())
    walker.diagnostics.fail(node, "this must be an integer, found " + describeNoInteger(value));
  return materialize(node, value, walker.builder.getI32Type());
}

mlir::Value Scalars::asF32(py::handle node, const Value &value) {
  if (!typeOf(value))
    walker.diagnostics.fail(node, "this must be a number, found " + describeNoBlock(value));
  return materialize(node, value, walker.builder.getF32Type());
}

mlir::Value Scalars::asIndex(py::handle node, const Value &value) {
  if (std::optional<int64_t> number = staticInt(value))
    return walker.indexConstant(node, *number);
  return arith::IndexCastOp::create(walker.builder, walker.location(node),
                                    walker.builder.getIndexType(), asI32(node, value));
}

mlir::Value Scalars::truncate(py::handle node, mlir::Value value) {
  if (!value.getType().isF32())
    return convert(node, value, walker.builder.getI32Type());
  Location loc = walker.location(node);
  auto inside = [&](arith::CmpFPredicate predicate, float bound) -> mlir::Value {
    return arith::CmpFOp::create(walker.builder, loc, predicate, value,
                                 walker.constant(node, bound));
  };
  mlir::Value low = inside(arith::CmpFPredicate::OGE, -2147483648.0f);
  mlir::Value high = inside(arith::CmpFPredicate::OLT, 2147483648.0f);
  mlir::Value fits = arith::AndIOp::create(walker.builder, loc, low, high);
  ttl::AssertOp::create(walker.builder, loc, fits,
                        "the argument of int() must fit in a 32-bit integer");
  return arith::FPToSIOp::create(walker.builder, loc, walker.builder.getI32Type(), value);
}

Value Scalars::fromIndex(py::handle node, mlir::Value index) {
  return Scalar{arith::IndexCastOp::create(walker.builder, walker.location(node),
                                           walker.builder.getI32Type(), index)};
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

Value Scalars::binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs) {
  const Static *left = lhs.getIf<Static>(), *right = rhs.getIf<Static>();
  if (left && right)
    return walker.staticEval.apply(node, operatorOf(op).function, left->object, right->object);
  Type type = join(typeOf(lhs), typeOf(rhs));
  if (!type)
    walker.diagnostics.fail(
        node, fmt::format("the operands of '{}' must be numbers or blocks, found {} and {}{}",
                          operatorOf(op).symbol, describe(lhs), describe(rhs),
                          adviceOnOperand(typeOf(lhs) ? rhs : lhs)));
  if (op == "Pow" && type.isF32())
    return powerFloat(node, asF32(node, lhs), rhs);
  // In Python, '/' of two integers gives a float.
  if (type.isF32() || op == "Div")
    return binaryFloat(node, op, asF32(node, lhs), asF32(node, rhs));
  if (op == "BitAnd" || op == "BitOr" || op == "BitXor")
    return bitwise(node, op, materialize(node, lhs, type), materialize(node, rhs, type));
  if (op == "LShift" || op == "RShift")
    return shift(node, op == "LShift", lhs, rhs);
  if (op == "Pow" && right)
    checkNotNegative(
        node, rhs, "negative exponent", // ttl.int_pow checks others
        "; the power of an int is an int in a kernel: for a float, write 1.0 / a ** b");
  return binaryInt(node, op, asI32(node, lhs), asI32(node, rhs));
}

Value Scalars::binaryInt(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs) {
  Location loc = walker.location(node);
  auto build = [&](auto tag) -> Value {
    using Op = typename decltype(tag)::type;
    return Scalar{Op::create(walker.builder, loc, walker.builder.getI32Type(), lhs, rhs)};
  };
  if (op == "Add")
    return build(std::type_identity<ttl::IntAddOp>());
  if (op == "Sub")
    return build(std::type_identity<ttl::IntSubOp>());
  if (op == "Mult")
    return build(std::type_identity<ttl::IntMulOp>());
  if (op == "FloorDiv")
    return build(std::type_identity<ttl::IntFloorDivOp>());
  if (op == "Mod")
    return build(std::type_identity<ttl::IntModOp>());
  if (op == "Pow")
    return build(std::type_identity<ttl::IntPowOp>());
  walker.diagnostics.fail(node, fmt::format("'{}' is not supported on run-time integers: use "
                                            "+ - * // % ** / << >> & | ^",
                                            operatorOf(op).symbol));
}

// Builds '&', '|' or '^'. The result of two bools is a bool, as in Python.
Value Scalars::bitwise(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs) {
  Location loc = walker.location(node);
  if (op == "BitAnd")
    return Scalar{arith::AndIOp::create(walker.builder, loc, lhs, rhs)};
  if (op == "BitOr")
    return Scalar{arith::OrIOp::create(walker.builder, loc, lhs, rhs)};
  return Scalar{arith::XOrIOp::create(walker.builder, loc, lhs, rhs)};
}

// A power of two that fits in 32 bits has at most this exponent.
static constexpr int64_t kMaxShift = 30;

// Fails, or lets the kernel fault, if a number is negative.
void Scalars::checkNotNegative(py::handle node, const Value &number, const char *message,
                               const char *advice) {
  if (std::optional<int64_t> known = staticInt(number)) {
    if (*known < 0)
      walker.diagnostics.fail(node, fmt::format("{}: {}{}", message, *known, advice));
    return;
  }
  Value holds = compare(node, "GtE", number, Static{py::int_(0)});
  ttl::AssertOp::create(walker.builder, walker.location(node), holds->irValue(), message);
}

Value Scalars::shift(py::handle node, bool left, const Value &lhs, const Value &distance) {
  checkNotNegative(node, distance, "negative shift count");
  return left ? shiftLeft(node, lhs, distance) : shiftRight(node, lhs, distance);
}

// Builds multiplications by powers of two. The kernel faults if the result does not fit in 32 bits.
// A number other than 0 does not fit after a shift by twice kMaxShift.
Value Scalars::shiftLeft(py::handle node, const Value &lhs, const Value &distance) {
  auto times = [&](const Value &value, const Value &exponent) {
    return binary(node, "Mult", value, binary(node, "Pow", Static{py::int_(2)}, exponent));
  };
  if (std::optional<int64_t> known = staticInt(distance)) {
    Value first = times(lhs, Static{py::int_(std::min(*known, kMaxShift))});
    int64_t rest = std::min(*known - kMaxShift, kMaxShift);
    return rest > 0 ? times(first, Static{py::int_(rest)}) : first;
  }
  if (std::optional<int64_t> number = staticInt(lhs); number && *number > 0)
    return times(lhs, distance);
  auto atMost = [&](const Value &places) -> Value {
    return Scalar{arith::MinSIOp::create(walker.builder, walker.location(node), asI32(node, places),
                                         walker.constant(node, static_cast<int32_t>(kMaxShift)))};
  };
  Value first = atMost(distance);
  return times(times(lhs, first), atMost(binary(node, "Sub", distance, first)));
}

// Divides by the power of two if that fits in 32 bits: then the result has known bounds.
Value Scalars::shiftRight(py::handle node, const Value &lhs, const Value &distance) {
  std::optional<int64_t> known = staticInt(distance);
  if (known && *known <= kMaxShift)
    return binary(node, "FloorDiv", lhs, Static{py::int_(int64_t{1} << *known)});
  Location loc = walker.location(node);
  mlir::Value most = walker.constant(node, int32_t(31));
  mlir::Value places =
      known ? most : arith::MinSIOp::create(walker.builder, loc, asI32(node, distance), most);
  return Scalar{arith::ShRSIOp::create(walker.builder, loc, asI32(node, lhs), places)};
}

void Scalars::checkNotZero(py::handle node, mlir::Value divisor) {
  Location loc = walker.location(node);
  mlir::Value notZero = arith::CmpFOp::create(walker.builder, loc, arith::CmpFPredicate::UNE,
                                              divisor, walker.constant(node, 0.0f));
  ttl::AssertOp::create(walker.builder, loc, notZero, "division by zero");
}

Value Scalars::binaryFloat(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs) {
  Location loc = walker.location(node);
  OpBuilder &builder = walker.builder;
  if (op == "Add")
    return Scalar{arith::AddFOp::create(builder, loc, lhs, rhs)};
  if (op == "Sub")
    return Scalar{arith::SubFOp::create(builder, loc, lhs, rhs)};
  if (op == "Mult")
    return Scalar{arith::MulFOp::create(builder, loc, lhs, rhs)};
  if (op == "Div") {
    checkNotZero(node, rhs);
    return Scalar{arith::DivFOp::create(builder, loc, lhs, rhs)};
  }
  if (op == "FloorDiv" || op == "Mod")
    return floorDivision(node, op == "Mod", lhs, rhs);
  walker.diagnostics.fail(node, fmt::format("'{}' is not supported on run-time floats: use + - * / "
                                            "// % **",
                                            operatorOf(op).symbol));
}

Value Scalars::floorDivision(py::handle node, bool isModulo, mlir::Value lhs, mlir::Value rhs) {
  checkNotZero(node, rhs);
  FloatDivision division(walker, node);
  return Scalar{isModulo ? division.modulo(lhs, rhs) : division.floor(lhs, rhs)};
}

// Builds a power of a float as repeated multiplications.
Value Scalars::powerFloat(py::handle node, mlir::Value base, const Value &exponent) {
  constexpr int64_t kMaxExponent = 64;
  std::optional<int64_t> n = staticInt(exponent);
  if (!n || std::abs(*n) > kMaxExponent)
    walker.diagnostics.failNeedsStatic(
        node, fmt::format("the exponent of a run-time float must be an integer from -{0} to {0} "
                          "that is known at compile time, found {1}",
                          kMaxExponent, n ? std::to_string(*n) : describe(exponent)));
  Value result = Scalar{walker.constant(node, 1.0f)};
  for (int64_t i = 0; i < std::abs(*n); ++i)
    result = i == 0 ? Value(Scalar{base}) : binaryFloat(node, "Mult", result->irValue(), base);
  if (*n >= 0)
    return result;
  return binaryFloat(node, "Div", walker.constant(node, 1.0f), result->irValue());
}

Value Scalars::inPlace(py::handle node, std::string_view op, const py::object &lhs,
                       const py::object &rhs) {
  return walker.staticEval.applyInPlace(node, operatorOf(op).function, lhs, rhs);
}

Value Scalars::unary(py::handle node, std::string_view op, const Value &operand) {
  if (const Static *object = operand.getIf<Static>())
    return walker.staticEval.apply(node, operatorOf(op).function, object->object);
  Type type = typeOf(operand);
  if (type && op == "Invert" && !type.isF32())
    return binary(node, "Sub", unary(node, "USub", operand), Static{py::int_(1)});
  if (!type || op == "Invert")
    walker.diagnostics.fail(node, fmt::format("unary '{}' is not defined for {}",
                                              operatorOf(op).symbol, describe(operand)));
  Location loc = walker.location(node);
  if (type.isF32())
    return op == "UAdd"
               ? operand
               : Value(Scalar{arith::NegFOp::create(walker.builder, loc, asF32(node, operand))});
  mlir::Value number = asI32(node, operand);
  if (op == "UAdd")
    return Scalar{number};
  return Scalar{ttl::IntNegOp::create(walker.builder, loc, walker.builder.getI32Type(), number)};
}

Value Scalars::absolute(py::handle node, const Value &operand) {
  Type type = typeOf(operand);
  if (!type)
    walker.diagnostics.fail(node, "the argument of abs() must be a number or a block, found " +
                                      describe(operand));
  Location loc = walker.location(node);
  if (!type.isF32())
    return Scalar{ttl::IntAbsOp::create(walker.builder, loc, walker.builder.getI32Type(),
                                        asI32(node, operand))};
  mlir::Value value = asF32(node, operand);
  mlir::Value negative = arith::CmpFOp::create(walker.builder, loc, arith::CmpFPredicate::OLT,
                                               value, walker.constant(node, 0.0f));
  mlir::Value negated = arith::NegFOp::create(walker.builder, loc, value);
  return Scalar{arith::SelectOp::create(walker.builder, loc, negative, negated, value)};
}

//===--------------------------------------------------------------------------===//
// Comparison and truth
//===--------------------------------------------------------------------------===//

static std::pair<arith::CmpIPredicate, arith::CmpFPredicate> predicates(std::string_view op) {
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  if (op == "Eq")
    return {I::eq, F::OEQ};
  if (op == "NotEq")
    return {I::ne, F::UNE};
  if (op == "Lt")
    return {I::slt, F::OLT};
  if (op == "LtE")
    return {I::sle, F::OLE};
  if (op == "Gt")
    return {I::sgt, F::OGT};
  return {I::sge, F::OGE};
}

// Returns the operator that compares exchanged operands.
static std::string_view exchanged(std::string_view op) {
  return op == "Lt" ? "Gt" : op == "LtE" ? "GtE" : op == "Gt" ? "Lt" : op == "GtE" ? "LtE" : op;
}

// Compares a run-time integer with a float known at compile time. The comparison is exact: neither
// the integer nor the float is rounded to 32 bits.
static Value compareWithFloat(Scalars &scalars, py::handle node, std::string_view op,
                              const Value &integer, double number) {
  auto known = [](bool holds) -> Value { return Static{py::bool_(holds)}; };
  bool isUpper = op == "Lt" || op == "LtE", isEquality = op == "Eq" || op == "NotEq";
  if (std::isnan(number) || (isEquality && number != std::floor(number)))
    return known(op == "NotEq");
  if (number >= 2147483648.0 || number < -2147483648.0)
    return known(isEquality ? op == "NotEq" : isUpper == (number > 0));
  if (number != std::floor(number))
    op = isUpper ? "LtE" : "Gt";
  Value bound = Static{py::int_(static_cast<int64_t>(std::floor(number)))};
  return scalars.compare(node, op, integer, bound);
}

Value Scalars::compare(py::handle node, std::string_view op, const Value &lhs, const Value &rhs) {
  const Static *left = lhs.getIf<Static>(), *right = rhs.getIf<Static>();
  if (left && right)
    return walker.staticEval.apply(node, operatorOf(op).function, left->object, right->object);
  Type type = join(typeOf(lhs), typeOf(rhs));
  if (!type)
    walker.diagnostics.fail(node, fmt::format("'{}' cannot compare {} with {}",
                                              operatorOf(op).symbol, describe(lhs), describe(rhs)));
  if (type.isF32() && right && !typeOf(lhs).isF32())
    return compareWithFloat(*this, node, op, lhs, PyFloat_AsDouble(right->object.ptr()));
  if (type.isF32() && left && !typeOf(rhs).isF32())
    return compareWithFloat(*this, node, exchanged(op), rhs, PyFloat_AsDouble(left->object.ptr()));
  Location loc = walker.location(node);
  auto [integer, floating] = predicates(op);
  if (type.isF32())
    return Scalar{
        arith::CmpFOp::create(walker.builder, loc, floating, asF32(node, lhs), asF32(node, rhs))};
  return Scalar{
      arith::CmpIOp::create(walker.builder, loc, integer, asI32(node, lhs), asI32(node, rhs))};
}

Value Scalars::minMax(py::handle node, bool isMin, const Value &lhs, const Value &rhs) {
  // As in Python, the first argument is returned unless the second one is strictly smaller (or, for
  // max, greater).
  auto better = truth(node, compare(node, isMin ? "Lt" : "Gt", rhs, lhs));
  if (const bool *known = std::get_if<bool>(&better))
    return *known ? rhs : lhs;
  Type type = join(typeOf(lhs), typeOf(rhs));
  return Scalar{arith::SelectOp::create(walker.builder, walker.location(node),
                                        std::get<mlir::Value>(better), materialize(node, rhs, type),
                                        materialize(node, lhs, type))};
}

std::variant<bool, mlir::Value> Scalars::truth(py::handle node, const Value &value) {
  return value->truth(walker, node);
}

} // namespace ttjit::frontend
