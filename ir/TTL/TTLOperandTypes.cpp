//===- TTLOperandTypes.cpp - types that the text of an op leaves out ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The design documents write `ttl.tensor_accessor %a` without types. The operand's
// definition has the type, and most results follow from it.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

using Unresolved = OpAsmParser::UnresolvedOperand;

// Returns the type in the diagnostic that is not `probe`.
static Type otherType(const Diagnostic &diagnostic, Type probe) {
  for (const DiagnosticArgument &argument : diagnostic.getArguments())
    if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type &&
        argument.getAsType() != probe)
      return argument.getAsType();
  return {};
}

// MLIR's parser tells the type of a value only when it rejects another one: its error has both
// types as arguments.
static Type typeOfDefinition(OpAsmParser &parser, const Unresolved &operand) {
  MLIRContext *context = parser.getContext();
  Type probe = OpaqueType::get(StringAttr::get(context, "ttl"), "unknown"), found;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (!found)
      found = otherType(diagnostic, probe);
    return success();
  });
  SmallVector<Value> values;
  (void)parser.resolveOperand(operand, probe, values);
  return found;
}

Type ttl::lookUpType(OpAsmParser &parser, const Unresolved &operand) {
  if (Type type = typeOfDefinition(parser, operand))
    return type;
  std::string number = operand.number ? "#" + std::to_string(operand.number) : "";
  parser.emitError(operand.location) << "cannot look up the type of '" << operand.name << number
                                     << "', because no earlier line defines it: define it first, "
                                        "or write the types of the operands";
  return {};
}

ParseResult ttl::parseOrLookUpType(OpAsmParser &parser, const Unresolved &operand, Type &type) {
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseType(type);
  type = lookUpType(parser, operand);
  return success(static_cast<bool>(type));
}

ParseResult ttl::parseOrLookUpTypes(OpAsmParser &parser, SMLoc loc, ArrayRef<Unresolved> operands,
                                    OperationState &result) {
  SmallVector<Type> types;
  if (succeeded(parser.parseOptionalColon()))
    return failure(parser.parseTypeList(types) ||
                   parser.resolveOperands(operands, types, loc, result.operands));
  for (const Unresolved &operand : operands)
    if (!types.emplace_back(lookUpType(parser, operand)))
      return failure();
  return parser.resolveOperands(operands, types, loc, result.operands);
}

ParseResult ttl::parseAttributes(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return result.name.verifyInherentAttrs(result.attributes, [&] {
    return parser.emitError(loc) << "'" << result.name.getStringRef() << "' op ";
  });
}

//===--------------------------------------------------------------------------===//
// Operations on tiles and on blocks
//===--------------------------------------------------------------------------===//

// Returns the type of what an operation computes from such operands, with the operand's shape; null
// if the operand is neither a tile nor a block.
static Type computedValue(Type operand) {
  MLIRContext *context = operand.getContext();
  if (auto tile = dyn_cast<ttcore::TileType>(operand))
    return ttcore::TileType::get(context, tile.getHeight(), tile.getWidth(), getComputedType(tile));
  if (auto block = dyn_cast<BlockType>(operand); block && block.getCircularBuffer().isTiled())
    return getBlockTensorType(context, getBlockShape(operand), getComputedType(operand));
  return isBlockTensor(operand) ? operand : Type();
}

static ParseResult reportOperand(OpAsmParser &parser, const Unresolved &operand, Type type) {
  return parser.emitError(operand.location)
         << "expected a tile, or a block of tiles, found a value of type " << type;
}

// Parses `: (types) -> result`, in the order of the operands.
static ParseResult parseStatedTypes(OpAsmParser &parser, ArrayRef<Type *> types, Type &result) {
  FunctionType stated;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(stated))
    return failure();
  if (stated.getNumInputs() != types.size() || stated.getNumResults() != 1)
    return parser.emitError(loc) << "expected the types of " << types.size()
                                 << " operands and one result, found " << stated;
  for (auto [type, input] : llvm::zip_equal(types, stated.getInputs()))
    *type = input;
  result = stated.getResult(0);
  return success();
}

static ParseResult lookUpAll(OpAsmParser &parser, ArrayRef<const Unresolved *> operands,
                             ArrayRef<Type *> types) {
  for (auto [operand, type] : llvm::zip_equal(operands, types))
    if (!(*type = lookUpType(parser, *operand)))
      return failure();
  return success();
}

static ParseResult parseRow(OpAsmParser &parser, ArrayRef<const Unresolved *> operands,
                            ArrayRef<Type *> types, Type &result) {
  if (succeeded(parser.parseOptionalColon()))
    return parseStatedTypes(parser, types, result);
  if (lookUpAll(parser, operands, types))
    return failure();
  result = computedValue(*types.front());
  return result ? success() : reportOperand(parser, *operands.front(), *types.front());
}

ParseResult ttl::parseRowTypes(OpAsmParser &parser, const Unresolved &input, Type &inputType,
                               Type &resultType) {
  return parseRow(parser, {&input}, {&inputType}, resultType);
}

ParseResult ttl::parseRowTypes(OpAsmParser &parser, const Unresolved &lhs, const Unresolved &rhs,
                               Type &lhsType, Type &rhsType, Type &resultType) {
  return parseRow(parser, {&lhs, &rhs}, {&lhsType, &rhsType}, resultType);
}

ParseResult ttl::parseRowTypes(OpAsmParser &parser, const Unresolved &first,
                               const Unresolved &second, const Unresolved &third, Type &firstType,
                               Type &secondType, Type &thirdType, Type &resultType) {
  return parseRow(parser, {&first, &second, &third}, {&firstType, &secondType, &thirdType},
                  resultType);
}

static void printStatedTypes(OpAsmPrinter &printer, ArrayRef<Type> operands, Type result) {
  printer << ": ";
  printer.printFunctionalType(operands, ArrayRef<Type>(result));
}

void ttl::printRowTypes(OpAsmPrinter &printer, Operation *, Value, Type inputType,
                        Type resultType) {
  printStatedTypes(printer, {inputType}, resultType);
}
void ttl::printRowTypes(OpAsmPrinter &printer, Operation *, Value, Value, Type lhsType,
                        Type rhsType, Type resultType) {
  printStatedTypes(printer, {lhsType, rhsType}, resultType);
}
void ttl::printRowTypes(OpAsmPrinter &printer, Operation *, Value, Value, Value, Type firstType,
                        Type secondType, Type thirdType, Type resultType) {
  printStatedTypes(printer, {firstType, secondType, thirdType}, resultType);
}

//===--------------------------------------------------------------------------===//
// ttl.block_matmul, ttl.block_store
//===--------------------------------------------------------------------------===//

// Returns the product's type. The verifier checks that the shapes fit.
static Type productType(Type lhs, Type rhs) {
  Type value = computedValue(lhs);
  if (!value || isa<ttcore::TileType>(value) || !computedValue(rhs) || isa<ttcore::TileType>(rhs) ||
      getBlockShape(rhs).empty())
    return {};
  ArrayRef<int64_t> other = getBlockShape(rhs);
  SmallVector<int64_t> shape(getBlockShape(lhs));
  if (shape.empty())
    return {};
  shape.back() = other.back();
  if (other.size() > shape.size())
    shape.insert(shape.begin(), other.begin(), other.end() - shape.size());
  for (size_t i = 2; i < std::min(shape.size(), other.size()); ++i)
    if (int64_t &extent = shape[shape.size() - 1 - i]; extent == 1)
      extent = other[other.size() - 1 - i];
  return getBlockTensorType(lhs.getContext(), shape, getComputedType(lhs));
}

ParseResult ttl::parseMatmulTypes(OpAsmParser &parser, const Unresolved &lhs, const Unresolved &rhs,
                                  const std::optional<Unresolved> &acc, Type &lhsType,
                                  Type &rhsType, Type &accType, Type &resultType) {
  SmallVector<const Unresolved *> operands = {&lhs, &rhs};
  SmallVector<Type *> types = {&lhsType, &rhsType};
  if (acc) {
    operands.push_back(&*acc);
    types.push_back(&accType);
  }
  if (succeeded(parser.parseOptionalColon()))
    return parseStatedTypes(parser, types, resultType);
  if (lookUpAll(parser, operands, types))
    return failure();
  if ((resultType = productType(lhsType, rhsType)))
    return success();
  return parser.emitError(lhs.location)
         << "expected two blocks of tiles, found values of types " << lhsType << " and " << rhsType;
}

void ttl::printMatmulTypes(OpAsmPrinter &printer, Operation *op, Value, Value, Value, Type, Type,
                           Type, Type) {
  printer << ": ";
  printer.printFunctionalType(op);
}

ParseResult ttl::parseStoreTypes(OpAsmParser &parser, const Unresolved &dst, const Unresolved &src,
                                 Type &dstType, Type &srcType) {
  if (succeeded(parser.parseOptionalColon()))
    return failure(parser.parseCustomTypeWithFallback(dstType) || parser.parseComma() ||
                   parser.parseType(srcType));
  return lookUpAll(parser, {&dst, &src}, {&dstType, &srcType});
}

void ttl::printStoreTypes(OpAsmPrinter &printer, Operation *, Value, Value, Type dstType,
                          Type srcType) {
  printer << ": ";
  printer.printStrippedAttrOrType(cast<BlockType>(dstType));
  printer << ", " << srcType;
}
