//===- Verify.cpp - what ttir's ops must have ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In this order: the attributes of the row, the number of operands, ranked tensors of known
// extents, element types, the shape of the results.
//===--------------------------------------------------------------------------===//

#include "ir/Messages/UnknownNames.h"
#include "ir/TTCore/TTCore.h"
#include "ir/modules/TTIR/Shapes.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

static StringRef describe(AttributeKind kind) {
  switch (kind) {
  case AttributeKind::Bool:
    return "true or false";
  case AttributeKind::Integer:
    return "an integer, such as 1 : i32";
  case AttributeKind::Integers:
    return "integers, such as array<i64: 0, 1> or [0 : i32, 1 : i32]";
  case AttributeKind::OneOrMore:
    return "an integer or integers, such as 1 : i32 or array<i32: 1, 1>";
  case AttributeKind::Number:
    return "a number, such as 0.5 : f32 or 1 : i32";
  case AttributeKind::Elements:
    return "elements, such as dense<1.0> : tensor<2x2xf32>";
  case AttributeKind::Text:
    return "a string";
  case AttributeKind::Type:
    return "a type";
  case AttributeKind::Reduction:
    return "#ttcore.reduce_type<invalid>, or one with sum, prod, min or max";
  }
  return "";
}

static bool hasKind(Attribute attribute, AttributeKind kind) {
  switch (kind) {
  case AttributeKind::Bool:
    return isa<BoolAttr>(attribute);
  case AttributeKind::Integer:
    return integerOf(attribute) && !isa<BoolAttr>(attribute);
  case AttributeKind::Integers:
    return integersOf(attribute).has_value();
  case AttributeKind::OneOrMore:
    return integersOf(attribute) || hasKind(attribute, AttributeKind::Integer);
  case AttributeKind::Number:
    return numberOf(attribute).has_value();
  case AttributeKind::Elements:
    return isa<DenseElementsAttr, DenseResourceElementsAttr>(attribute);
  case AttributeKind::Text:
    return isa<StringAttr>(attribute);
  case AttributeKind::Type:
    return isa<TypeAttr>(attribute);
  case AttributeKind::Reduction:
    return reductionOf(attribute).has_value();
  }
  return false;
}

static LogicalResult verifyAttribute(TTIROp op, NamedAttribute attribute) {
  ArrayRef<AttributeFacts> known = op.facts().attributes;
  StringRef name = attribute.getName().getValue();
  const AttributeFacts *found =
      llvm::find_if(known, [&](const AttributeFacts &each) { return each.name == name; });
  if (found == known.end()) {
    SmallVector<StringRef> names = llvm::map_to_vector(known, [](auto &each) { return each.name; });
    if (names.empty())
      return op->emitOpError() << "takes no attributes, found '" << name << "'";
    return op->emitOpError() << "has an " << ttjit::describeUnknown("attribute", name, names);
  }
  if (!hasKind(attribute.getValue(), found->kind))
    return op->emitOpError() << "attribute '" << name << "' must be " << describe(found->kind)
                             << ", found " << attribute.getValue();
  return success();
}

static LogicalResult verifyAttributes(TTIROp op) {
  if (DictionaryAttr attributes = op.getProperties().attributes)
    for (NamedAttribute attribute : attributes)
      if (failed(verifyAttribute(op, attribute)))
        return failure();
  for (const AttributeFacts &each : op.facts().attributes)
    if (each.required && !op.attribute(each.name))
      return op->emitOpError() << "lacks the attribute '" << each.name
                               << "': " << describe(each.kind);
  return success();
}

//===--------------------------------------------------------------------------===//
// Operands and results
//===--------------------------------------------------------------------------===//

namespace {
struct Count {
  unsigned least, most;
};
} // namespace

static constexpr unsigned kAny = ~0u;

static Count operandCount(OpKind kind) {
  switch (kind) {
  case OpKind::Arange:
  case OpKind::Constant:
  case OpKind::Empty:
  case OpKind::Full:
    return {0, 0};
  case OpKind::Binary:
  case OpKind::DotGeneral:
  case OpKind::Matmul:
  case OpKind::Embedding:
  case OpKind::Gather:
  case OpKind::ToLayout:
    return {2, 2};
  case OpKind::Linear:
  case OpKind::Convolution:
  case OpKind::TransposedConvolution:
    return {2, 3};
  case OpKind::Scatter:
  case OpKind::Ternary:
    return {3, 3};
  case OpKind::Norm:
    return {1, 3};
  case OpKind::Concat:
    return {1, kAny};
  default:
    return {1, 1};
  }
}

static LogicalResult verifyCounts(TTIROp op) {
  Count count = operandCount(op.facts().kind);
  bool hasIndices = op.facts().kind == OpKind::TopK || op.facts().kind == OpKind::Sort;
  unsigned found = op.inputs().size(), results = hasIndices ? 2 : 1;
  if (found < count.least || found > count.most) {
    std::string most = count.most == count.least ? ""
                       : count.most == kAny      ? " or more"
                                                 : " to " + std::to_string(count.most);
    return op->emitOpError() << "the number of operands must be " << count.least << most
                             << ", found " << found;
  }
  if (op->getNumResults() != results)
    return op->emitOpError() << "the number of results must be " << results << ", found "
                             << op->getNumResults();
  return success();
}

static LogicalResult verifyTensor(TTIROp op, Type type, StringRef what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return op->emitOpError() << what << " must be a tensor whose extents are known, found " << type;
  constexpr int64_t kMost = int64_t(1) << 31; // elements
  int64_t left = kMost;
  for (int64_t extent : tensor.getShape()) {
    if (extent > left)
      return op->emitOpError() << what << " has more than 2^31 elements: " << type;
    left /= std::max<int64_t>(extent, 1);
  }
  return success();
}

static LogicalResult verifyTensors(TTIROp op) {
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(verifyTensor(op, type, "operand " + std::to_string(i))))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyTensor(op, type, "the result")))
      return failure();
  return success();
}

//===--------------------------------------------------------------------------===//
// Element types
//===--------------------------------------------------------------------------===//

static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         isa<ttcore::TileType>(type);
}

static LogicalResult verifyElementTypes(TTIROp op) {
  SmallVector<Type> types;
  for (Value input : op.inputs())
    types.push_back(cast<RankedTensorType>(input.getType()).getElementType());
  Type result = op.resultType().getElementType();
  SmallVector<Type> all(types);
  all.push_back(result);
  for (Type type : all)
    if (!isElement(type))
      return op->emitOpError() << "elements of type " << type
                               << " are not supported: they may be f16, bf16, f32, f64, i1, or "
                                  "integers of 8, 16, 32 or 64 bits";
  TypeRule rule = op.facts().types;
  if (rule == TypeRule::Free)
    return success();
  for (Type type : types) {
    if (type != types.front())
      return op->emitOpError() << "operands have elements of different types: " << types.front()
                               << " and " << type;
    if (rule == TypeRule::Floats && !isa<FloatType>(type))
      return op->emitOpError() << "works on floats, found " << type;
    if (rule == TypeRule::Integers && !isa<IntegerType>(type))
      return op->emitOpError() << "works on integers, found " << type;
  }
  bool isOne = rule == TypeRule::Same || rule == TypeRule::Integers;
  if (isOne && !types.empty() && result != types.front())
    return op->emitOpError() << "operands have elements of type " << types.front()
                             << ", but the result has " << result;
  return success();
}

static LogicalResult verifyBitcast(TTIROp op) {
  Type from = op.inputType(0).getElementType(), to = op.resultType().getElementType();
  bool areNumbers = from.isIntOrFloat() && to.isIntOrFloat();
  if (areNumbers && from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
    return success();
  return op->emitOpError() << "needs elements of equal size, found " << from << " and " << to;
}

// Reports a constant whose resource the file does not have, or whose resource has too few bytes.
static LogicalResult verifyResource(TTIROp op) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.attribute("value"));
  if (!resource || elementsOf(resource))
    return success();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  auto error = op->emitOpError() << "needs the bytes of " << resource.getType()
                                 << " in the resource '" << resource.getRawHandle().getKey()
                                 << "' of the module, found ";
  if (blob)
    return error << blob->getData().size() << " bytes";
  return error << "no such resource";
}

// Checks that the elements of a constant's attribute have the type of its result.
static LogicalResult verifyConstant(TTIROp op) {
  if (failed(verifyResource(op)))
    return failure();
  Type value = cast<ElementsAttr>(op.attribute("value")).getShapedType().getElementType();
  Type result = op.resultType().getElementType();
  if (value == result)
    return success();
  return op->emitOpError() << "has elements of type " << value << ", but the result has " << result;
}

// Checks that the operands of a convolution are floats, or integers of one type.
static LogicalResult verifyFactors(TTIROp op) {
  Type first = op.inputType(0).getElementType();
  for (Value input : op.inputs()) {
    Type type = cast<RankedTensorType>(input.getType()).getElementType();
    if (type != first && !(isa<FloatType>(type) && isa<FloatType>(first)))
      return op->emitOpError() << "operands have elements of different types: " << first << " and "
                               << type;
  }
  return success();
}

static bool isInteger(Type type) { return type.isIntOrIndex() && !type.isInteger(1); }

// Checks that the indices that an op makes or takes are integers.
static LogicalResult verifyIndices(TTIROp op, Type type, StringRef what) {
  Type element = cast<RankedTensorType>(type).getElementType();
  if (isInteger(element))
    return success();
  return op->emitOpError() << what << " must have integers, found " << element;
}

// Returns whether an integer type has the number, which may have a fraction that is dropped.
static bool hasNumber(IntegerType type, double number) {
  unsigned digits = type.getWidth() - (type.isUnsigned() || type.getWidth() == 1 ? 0 : 1);
  double most = std::ldexp(1.0, digits),
         least = type.isUnsigned() || type.getWidth() == 1 ? -1 : -most - 1;
  return number > least && number < most;
}

// Checks the floats that become integers. Those of clamp_scalar may be outside of the type.
static LogicalResult verifyNumbers(TTIROp op) {
  auto type = dyn_cast<IntegerType>(op.resultType().getElementType());
  for (const AttributeFacts &each : op.facts().attributes) {
    if (each.kind != AttributeKind::Number || !type ||
        !isa_and_nonnull<FloatAttr>(op.attribute(each.name)))
      continue;
    double number = op.getNumber(each.name);
    bool isBound = op.name() == "clamp_scalar";
    if (isBound ? std::isnan(number) : !hasNumber(type, number))
      return op->emitOpError() << each.name << " = " << op.attribute(each.name)
                               << ", but elements of type " << type << " have no such number";
  }
  return success();
}

static LogicalResult verifyElementTypesOfKind(TTIROp op) {
  switch (op.facts().kind) {
  case OpKind::Convolution:
  case OpKind::TransposedConvolution:
    return verifyFactors(op);
  case OpKind::Constant:
    return verifyConstant(op);
  case OpKind::TopK:
  case OpKind::Sort:
    if (op.resultType().getElementType() != op.inputType(0).getElementType())
      return op->emitOpError() << "the first result must have elements of type "
                               << op.inputType(0).getElementType() << ", found "
                               << op.resultType().getElementType();
    return verifyIndices(op, op->getResult(1).getType(), "the second result");
  case OpKind::Scatter:
    if (op.inputType(2).getElementType() != op.inputType(0).getElementType())
      return op->emitOpError() << "operand 2 must have elements of type "
                               << op.inputType(0).getElementType() << ", found "
                               << op.inputType(2).getElementType();
    [[fallthrough]];
  case OpKind::Gather:
    if (op.resultType().getElementType() != op.inputType(0).getElementType())
      return op->emitOpError() << "the result must have elements of type "
                               << op.inputType(0).getElementType() << ", found "
                               << op.resultType().getElementType();
    return verifyIndices(op, op.inputType(1), "operand 1");
  default:
    return op.name() == "bitcast_convert" ? verifyBitcast(op) : success();
  }
}

//===--------------------------------------------------------------------------===//
// All
//===--------------------------------------------------------------------------===//

static LogicalResult verifyShape(TTIROp op) {
  FailureOr<Shape> expected = resultShape(op);
  if (failed(expected))
    return failure();
  for (OpResult result : op->getResults()) {
    ArrayRef<int64_t> found = cast<RankedTensorType>(result.getType()).getShape();
    if (found != ArrayRef<int64_t>(*expected))
      return op->emitOpError() << "the result has the shape " << shapeText(*expected) << ", found "
                               << shapeText(found);
  }
  return success();
}

LogicalResult TTIROp::verify() {
  if (failed(verifyAttributes(*this)) || failed(verifyTensors(*this)) ||
      failed(verifyCounts(*this)) || failed(verifyElementTypes(*this)))
    return failure();
  if (failed(verifyElementTypesOfKind(*this)) || failed(verifyNumbers(*this)))
    return failure();
  return verifyShape(*this);
}
