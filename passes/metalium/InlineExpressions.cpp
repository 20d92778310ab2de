//===- InlineExpressions.cpp - EmitC values as C++ expressions ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/InlineExpressions.h"

#include "passes/metalium/Names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <charconv>
#include <iterator>
#include <limits>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

//===--------------------------------------------------------------------------===//
// Recognising expressions
//===--------------------------------------------------------------------------===//

// Returns whether the op calls a function of EmittedFunctions.h: it depends on its arguments alone.
static bool isHelperCall(Operation *op) {
  auto call = dyn_cast<emitc::CallOpaqueOp>(op);
  return call && call.getCallee().starts_with("ttl_");
}

bool tometalium::isCppExpression(Operation *op) {
  if (isa<emitc::LiteralOp, emitc::ConstantOp, emitc::LoadOp, emitc::CastOp>(op))
    return !op->getParentOfType<emitc::ExpressionOp>();
  if (isHelperCall(op))
    return op->getNumResults() != 0; // calls without a result move data
  auto expression = dyn_cast<emitc::CExpressionInterface>(op);
  return expression && !isa<emitc::CallOpaqueOp>(op) && !expression.hasSideEffects() &&
         !op->getParentOfType<emitc::ExpressionOp>();
}

bool tometalium::isWrittenAtUse(Operation *op) {
  if (!isCppExpression(op) || !wantedName(op->getResult(0)).empty())
    return false;
  return isa<emitc::LiteralOp, emitc::ConstantOp, emitc::LoadOp>(op) ||
         op->getResult(0).hasOneUse();
}

std::optional<int64_t> tometalium::numberOf(Value value) {
  auto constant = value.getDefiningOp<emitc::ConstantOp>();
  auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

std::string tometalium::cppType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return "bool";
    return (integer.isUnsigned() ? "uint" : "int") + std::to_string(integer.getWidth()) + "_t";
  }
  if (auto variable = dyn_cast<emitc::LValueType>(type))
    return cppType(variable.getValueType());
  if (auto opaque = dyn_cast<emitc::OpaqueType>(type))
    return opaque.getValue().str();
  return isa<Float32Type>(type) ? "float" : "auto";
}

//===--------------------------------------------------------------------------===//
// Constants
//===--------------------------------------------------------------------------===//

static std::string floatText(const APFloat &value) {
  if (value.isNaN())
    return "__builtin_nanf(\"\")";
  if (value.isInfinity())
    return value.isNegative() ? "-__builtin_inff()" : "__builtin_inff()";
  // Write the fewest digits that read back as the same number, whatever the locale is.
  char digits[32];
  auto end = std::to_chars(std::begin(digits), std::end(digits), value.convertToFloat()).ptr;
  std::string text(digits, end);
  if (StringRef(text).find_first_of(".e") == StringRef::npos)
    text += ".0";
  return text + "f";
}

static std::string attributeText(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, std::string>(attribute)
      .Case<BoolAttr>([](BoolAttr flag) { return flag.getValue() ? "true" : "false"; })
      .Case<IntegerAttr>([](IntegerAttr number) -> std::string {
        if (number.getInt() == std::numeric_limits<int32_t>::min())
          return "(-2147483647 - 1)";
        return std::to_string(number.getInt());
      })
      .Case<FloatAttr>([](FloatAttr number) { return floatText(number.getValue()); })
      .Case<TypeAttr>([](TypeAttr type) { return cppType(type.getValue()); })
      .Case<emitc::OpaqueAttr>([](emitc::OpaqueAttr text) { return text.getValue().str(); })
      .Default(std::string());
}

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

// Precedences of C++ operators; a larger one binds tighter.
enum Precedence {
  kConditional = 1,
  kLogicalOr,
  kLogicalAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kRelation,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary,
};

namespace {
struct Operator {
  StringRef symbol;
  int precedence;
};
} // namespace

static Operator comparison(emitc::CmpOp op) {
  switch (op.getPredicate()) {
  case emitc::CmpPredicate::eq:
    return {"==", kEquality};
  case emitc::CmpPredicate::ne:
    return {"!=", kEquality};
  case emitc::CmpPredicate::lt:
    return {"<", kRelation};
  case emitc::CmpPredicate::le:
    return {"<=", kRelation};
  case emitc::CmpPredicate::gt:
    return {">", kRelation};
  case emitc::CmpPredicate::ge:
    return {">=", kRelation};
  case emitc::CmpPredicate::three_way:
    return {"<=>", kRelation};
  }
  return {"==", kEquality};
}

static std::optional<Operator> binaryOperator(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Operator>>(op)
      .Case<emitc::AddOp>([](auto) { return Operator{"+", kSum}; })
      .Case<emitc::SubOp>([](auto) { return Operator{"-", kSum}; })
      .Case<emitc::MulOp>([](auto) { return Operator{"*", kProduct}; })
      .Case<emitc::DivOp>([](auto) { return Operator{"/", kProduct}; })
      .Case<emitc::RemOp>([](auto) { return Operator{"%", kProduct}; })
      .Case<emitc::LogicalAndOp>([](auto) { return Operator{"&&", kLogicalAnd}; })
      .Case<emitc::LogicalOrOp>([](auto) { return Operator{"||", kLogicalOr}; })
      .Case<emitc::BitwiseAndOp>([](auto) { return Operator{"&", kBitAnd}; })
      .Case<emitc::BitwiseOrOp>([](auto) { return Operator{"|", kBitOr}; })
      .Case<emitc::BitwiseXorOp>([](auto) { return Operator{"^", kBitXor}; })
      .Case<emitc::BitwiseLeftShiftOp>([](auto) { return Operator{"<<", kShift}; })
      .Case<emitc::BitwiseRightShiftOp>([](auto) { return Operator{">>", kShift}; })
      .Case<emitc::CmpOp>([](emitc::CmpOp compare) { return comparison(compare); })
      .Default(std::nullopt);
}

StringRef ExpressionWriter::nameOf(Value value) const {
  auto name = names.find(value);
  return name == names.end() ? StringRef() : StringRef(name->second);
}

std::string ExpressionWriter::operand(Value value, int precedence) const {
  if (StringRef name = nameOf(value); !name.empty())
    return name.str();
  Text text = expression(value.getDefiningOp());
  return text.precedence < precedence ? "(" + text.text + ")" : text.text;
}

std::string ExpressionWriter::writeBound(Value value) const { return operand(value, kShift); }

ExpressionWriter::Text ExpressionWriter::binary(Operation *op, StringRef symbol,
                                                int precedence) const {
  // Operators of one precedence group to the left. Mixing && and ||, or bit operators,
  // without parentheses is legal but hard to read.
  bool mixes = precedence <= kBitAnd;
  auto side = [&](Value value, int minimum) {
    Operation *inner = value.getDefiningOp();
    bool same = inner && inner->getName() == op->getName();
    return operand(value, mixes && !same ? int(kEquality) : minimum);
  };
  return {side(op->getOperand(0), precedence) + " " + symbol.str() + " " +
              side(op->getOperand(1), precedence + 1),
          precedence};
}

ExpressionWriter::Text ExpressionWriter::unary(Operation *op, StringRef symbol) const {
  std::string text = operand(op->getOperand(0), kUnary);
  // Avoid writing `--x`, which decrements.
  if (StringRef(text).starts_with(symbol))
    text = "(" + text + ")";
  return {symbol.str() + text, kUnary};
}

std::string ExpressionWriter::substitute(StringRef format, ValueRange values) const {
  std::string result;
  for (Value value : values) {
    auto [before, after] = format.split("{}");
    result += before.str() + write(value);
    format = after;
  }
  return result + format.str();
}

std::string ExpressionWriter::templateArgument(Attribute attribute, ValueRange operands) const {
  std::string text = attributeText(attribute);
  return StringRef(text).contains("{}") ? substitute(text, operands) : text;
}

ExpressionWriter::Text ExpressionWriter::cast(emitc::CastOp op) const {
  APInt number;
  if (op.getType().isUnsignedInteger(32) && matchPattern(op.getSource(), m_ConstantInt(&number)) &&
      !number.isNegative())
    return {llvm::toString(number, 10, /*Signed=*/false) + "u", kPrimary};
  return {"static_cast<" + cppType(op.getType()) + ">(" + write(op.getSource()) + ")", kPrimary};
}

ExpressionWriter::Text ExpressionWriter::call(emitc::CallOpaqueOp op) const {
  std::string text = op.getCallee().str();
  bool passesOperands = true;
  if (ArrayAttr arguments = op.getTemplateArgsAttr()) {
    auto written = llvm::map_to_vector(arguments, [&](Attribute attribute) {
      passesOperands &= !StringRef(attributeText(attribute)).contains("{}");
      return templateArgument(attribute, op.getOperands());
    });
    text += "<" + llvm::join(written, ", ") + ">";
  }
  SmallVector<std::string> arguments;
  if (passesOperands)
    for (Value value : op.getOperands())
      arguments.push_back(write(value));
  return {text + "(" + llvm::join(arguments, ", ") + ")", kPrimary};
}

ExpressionWriter::Text ExpressionWriter::expression(Operation *op) const {
  if (std::optional<Operator> known = binaryOperator(op))
    return binary(op, known->symbol, known->precedence);
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case<emitc::CallOpaqueOp>([&](auto callOp) { return call(callOp); })
      .Case<emitc::LiteralOp>(
          [&](auto literal) { return Text{literal.getValue().str(), kPrimary}; })
      .Case<emitc::ConstantOp>([&](auto constant) {
        std::string text = attributeText(constant.getValue());
        return Text{text, text.front() == '-' ? int(kUnary) : int(kPrimary)};
      })
      .Case<emitc::LoadOp>([&](auto load) { return Text{write(load.getOperand()), kPrimary}; })
      .Case<emitc::CastOp>([&](auto castOp) { return cast(castOp); })
      .Case<emitc::LogicalNotOp>([&](auto) { return unary(op, "!"); })
      .Case<emitc::UnaryMinusOp>([&](auto) { return unary(op, "-"); })
      .Case<emitc::ConditionalOp>([&](auto conditional) {
        return Text{operand(conditional.getCondition(), kLogicalOr) + " ? " +
                        operand(conditional.getTrueValue(), kConditional + 1) + " : " +
                        operand(conditional.getFalseValue(), kConditional + 1),
                    kConditional};
      })
      .Default(Text{"", kPrimary});
}
