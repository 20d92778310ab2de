//===- TTLExpressionText.cpp - text of reductions, regions, yields ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The printers write one form of each op; the parsers also read those of the design documents.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

using Unresolved = OpAsmParser::UnresolvedOperand;

//===--------------------------------------------------------------------------===//
// Reductions and broadcasts
//===--------------------------------------------------------------------------===//

// Parses `: (types) -> type`.
static ParseResult parseFunctionType(OpAsmParser &parser, ArrayRef<Unresolved> operands,
                                     OperationState &result) {
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc, result.operands);
}

// Returns the type of a reduction's result; null if the operand is not a block of tiles. Ignores
// numbers that name no dimension, which the verifier reports.
static Type reducedType(Type input, ArrayRef<int64_t> dims) {
  auto block = dyn_cast<BlockType>(input);
  if (block ? !block.getCircularBuffer().isTiled() : !isBlockTensor(input))
    return {};
  SmallVector<int64_t> shape(getBlockShape(input));
  for (int64_t dim : dims)
    if (dim >= 0 && dim < static_cast<int64_t>(shape.size()))
      shape[dim] = 1;
  return getBlockTensorType(input.getContext(), shape, getComputedType(input));
}

// Looks up the types of a reduction that has none.
static ParseResult lookUpReduction(OpAsmParser &parser, ArrayRef<Unresolved> operands,
                                   OperationState &result) {
  auto dims = dyn_cast_or_null<DenseI64ArrayAttr>(result.attributes.get("dims"));
  if (!dims)
    return parser.emitError(parser.getNameLoc())
           << "needs the dimensions to reduce: write {dims = array<i64: 0, 1>} after the operands";
  SmallVector<Type> types;
  for (const Unresolved &operand : operands)
    if (!types.emplace_back(lookUpType(parser, operand)))
      return failure();
  Type type = reducedType(types.front(), dims.asArrayRef());
  if (!type)
    return parser.emitError(operands.front().location)
           << "expected a block of tiles, found a value of type " << types.front();
  result.addTypes(type);
  return parser.resolveOperands(operands, types, parser.getNameLoc(), result.operands);
}

static ParseResult parseReduction(OpAsmParser &parser, OperationState &result) {
  SmallVector<Unresolved> operands(1);
  if (parser.parseOperand(operands.front()))
    return failure();
  bool hasScaling =
      succeeded(parser.parseOptionalKeyword("scaling")) || succeeded(parser.parseOptionalComma());
  if ((hasScaling && parser.parseOperand(operands.emplace_back())) ||
      parseAttributes(parser, result))
    return failure();
  if (succeeded(parser.parseOptionalColon()))
    return parseFunctionType(parser, operands, result);
  return lookUpReduction(parser, operands, result);
}

template <typename OpT> static void printReduction(OpT op, OpAsmPrinter &printer) {
  printer << ' ' << op.getInput();
  if (op.getScaling())
    printer << " scaling " << op.getScaling();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op);
}

ParseResult BlockReduceSumOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseReduction(parser, result);
}
ParseResult BlockReduceMaxOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseReduction(parser, result);
}
void BlockReduceSumOp::print(OpAsmPrinter &printer) { printReduction(*this, printer); }
void BlockReduceMaxOp::print(OpAsmPrinter &printer) { printReduction(*this, printer); }

ParseResult BlockBcastOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved operand;
  if (parser.parseOperand(operand) || parseAttributes(parser, result))
    return failure();
  if (succeeded(parser.parseOptionalColon()))
    return parseFunctionType(parser, operand, result);
  return parser.emitError(parser.getNameLoc())
         << "needs the dimensions and the shape of the result: write {dims = array<i64: 1>} : "
            "(tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x4x!ttcore.tile<32x32, f32>>";
}

void BlockBcastOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInput();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===--------------------------------------------------------------------------===//
// ttl.get_tile
//===--------------------------------------------------------------------------===//

ParseResult ttl::parseTileIndex(OpAsmParser &parser, Unresolved &index) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalComma()))
    return parser.emitError(loc) << "expected the tile's number in brackets after a block that was "
                                    "acquired with ttl.cb_wait: ttl.get_tile %block[%index]";
  return failure(parser.parseLSquare() || parser.parseOperand(index) || parser.parseRSquare());
}

void ttl::printTileIndex(OpAsmPrinter &printer, Operation *, Value index) {
  printer << "[" << index << "]";
}

//===--------------------------------------------------------------------------===//
// ttl.yield
//===--------------------------------------------------------------------------===//

ParseResult YieldOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Unresolved> values;
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(values))
    return failure();
  return values.empty() ? ParseResult(success()) : parseOrLookUpTypes(parser, loc, values, result);
}

void YieldOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs());
  if (!getValues().empty())
    printer << ' ' << getValues() << " : " << getValues().getTypes();
}

//===--------------------------------------------------------------------------===//
// ttl.compute_region
//===--------------------------------------------------------------------------===//

// Parses `(%a, %b : types)` and returns the number of operands.
static ParseResult parseRegionOperands(OpAsmParser &parser, OperationState &result,
                                       int32_t &count) {
  SmallVector<Unresolved> operands;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(operands))
    return failure();
  count = static_cast<int32_t>(operands.size());
  if (!operands.empty() && parseOrLookUpTypes(parser, loc, operands, result))
    return failure();
  return parser.parseRParen();
}

// Parses `{keep_in_dst = true}` after the body.
static ParseResult parseTrailingDictionary(OpAsmParser &parser, OperationState &result) {
  NamedAttrList attributes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  Attribute keep = attributes.erase("keep_in_dst");
  auto flag = dyn_cast_or_null<BoolAttr>(keep);
  if (!attributes.empty())
    return parser.emitError(loc) << "expected only keep_in_dst after the body, found '"
                                 << attributes.begin()->getName().getValue() << "'";
  if (keep && !flag && !isa<UnitAttr>(keep))
    return parser.emitError(loc) << "keep_in_dst must be true or false, found " << keep;
  if (keep && (!flag || flag.getValue()))
    result.attributes.set("keep_in_dst", parser.getBuilder().getUnitAttr());
  return success();
}

// Parses `-> types`. Without it the results are what the body yields.
static ParseResult parseRegionResults(OpAsmParser &parser, OperationState &result,
                                      bool hasOutputs) {
  if (succeeded(parser.parseOptionalArrow()))
    return parser.parseTypeList(result.types);
  if (!hasOutputs) {
    Region &body = *result.regions.front();
    if (!body.empty() && !body.front().empty())
      result.addTypes(body.front().back().getOperandTypes());
    return success();
  }
  if (parser.getNumResults() == 0)
    return success();
  return parser.emitError(parser.getNameLoc())
         << "a region with outs stores its values there and has no results: "
            "leave out the name of the result, or outs";
}

ParseResult ComputeRegionOp::parse(OpAsmParser &parser, OperationState &result) {
  int32_t inputs = 0, outputs = 0;
  if (parser.parseKeyword("ins") || parseRegionOperands(parser, result, inputs))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("outs")) &&
      parseRegionOperands(parser, result, outputs))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("keep_in_dst")))
    result.addAttribute("keep_in_dst", parser.getBuilder().getUnitAttr());
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*body))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  llvm::copy(ArrayRef({inputs, outputs}),
             result.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  return failure(parseTrailingDictionary(parser, result) ||
                 parseRegionResults(parser, result, outputs != 0));
}

static void printRegionOperands(OpAsmPrinter &printer, StringRef kind, OperandRange operands) {
  printer << ' ' << kind << '(';
  if (!operands.empty())
    printer << operands << " : " << operands.getTypes();
  printer << ')';
}

void ComputeRegionOp::print(OpAsmPrinter &printer) {
  printRegionOperands(printer, "ins", getInputs());
  if (!getOutputs().empty())
    printRegionOperands(printer, "outs", getOutputs());
  if (getKeepInDst())
    printer << " keep_in_dst";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"operandSegmentSizes", "keep_in_dst"});
  Operation *end =
      getBody().empty() || getBody().front().empty() ? nullptr : &getBody().back().back();
  bool printEnd = !end || end->getNumOperands() != 0 || !end->getAttrs().empty();
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/true, printEnd);
  if (getNumResults() != 0)
    printer << " -> " << getResultTypes();
}
