//===- TTLResourceText.cpp - text of buffers, accessors, node queries ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The printers write one form of each op; the parsers also read those of the design documents.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLFields.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

using Unresolved = OpAsmParser::UnresolvedOperand;

std::string ttl::nameOfResult(OpAsmParser &parser, StringRef kind) {
  StringRef name = parser.getNumResults() ? parser.getResultName(0).first : StringRef();
  if (name.empty() || llvm::isDigit(name.front()))
    return (kind + name).str();
  return name.str();
}

//===--------------------------------------------------------------------------===//
// ttl.create_cb
//===--------------------------------------------------------------------------===//

namespace {

// Parses `shape = [1, 1], element_type = ..., buffer_factor = 2` and the optional fields.
class BufferParser {
public:
  BufferParser(OpAsmParser &parser, OperationState &result) : parser(parser), result(result) {}

  ParseResult parse();
  // Takes the fields out of the dictionary that was parsed.
  ParseResult takeFields(SMLoc loc);
  // Returns the buffer's type; null, after an error, if a field is missing.
  CircularBufferType getType(SMLoc loc);
  bool hasFields() const { return !shape.empty() || element || factor; }

private:
  ParseResult parseField(StringRef name);
  ParseResult setMemorySpace(SMLoc loc, StringRef space);
  ParseResult setShape(SMLoc loc, Attribute value);
  ParseResult takeInteger(SMLoc loc, StringRef name, unsigned width);

  OpAsmParser &parser;
  OperationState &result;
  SmallVector<int64_t> shape;
  Type element;
  std::optional<int64_t> factor;
};

constexpr StringRef kBufferNames[] = {"shape",     "element_type", "buffer_factor", "buffer_index",
                                      "page_size", "core_ranges",  "memory_space"};
constexpr Fields kBufferFields = {
    "a circular buffer", kBufferNames,
    "expected shape, element_type, buffer_factor, buffer_index, page_size, core_ranges or "
    "memory_space"};

} // namespace

ParseResult BufferParser::setMemorySpace(SMLoc loc, StringRef space) {
  if (space.equals_insensitive("l1") || space == "DeviceL1")
    return success();
  return parser.emitError(loc) << "a circular buffer is always in L1, found memory_space " << space
                               << ": leave memory_space out";
}

static std::string spaceText(Attribute attribute) {
  if (auto space = dyn_cast<ttcore::MemorySpaceAttr>(attribute))
    return ttcore::stringifyMemorySpace(space.getValue()).str();
  if (auto name = dyn_cast<StringAttr>(attribute))
    return name.str();
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

ParseResult BufferParser::parseField(StringRef name) {
  SMLoc loc = parser.getCurrentLocation();
  if (name == "shape")
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::Square, [&] { return parser.parseInteger(shape.emplace_back()); });
  if (name == "element_type")
    return parser.parseType(element);
  if (name == "buffer_factor")
    return parser.parseInteger(factor.emplace());
  StringRef space;
  if (name == "memory_space" && succeeded(parser.parseOptionalKeyword(&space)))
    return setMemorySpace(loc, space);
  Attribute value;
  if (parser.parseAttribute(value))
    return failure();
  if (name == "memory_space")
    return setMemorySpace(loc, spaceText(value));
  if (name == "core_ranges" && !isa<ttcore::CoreRangeSetAttr>(value))
    return parser.emitError(loc)
           << "expected cores, such as #ttcore.core_range_set<[<(0, 0), (3, 1)>]>, found " << value;
  result.addAttribute(name, value);
  return success();
}

ParseResult BufferParser::parse() {
  return parseFields(parser, kBufferFields, [&](StringRef name) { return parseField(name); });
}

ParseResult BufferParser::setShape(SMLoc loc, Attribute value) {
  if (auto dense = dyn_cast<DenseI64ArrayAttr>(value)) {
    shape.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
    return success();
  }
  auto list = dyn_cast<ArrayAttr>(value);
  bool areNumbers = list && llvm::all_of(list, [](Attribute extent) { return numberOf(extent); });
  if (!areNumbers)
    return parser.emitError(loc)
           << "expected numbers as shape of the blocks, such as [1, 1], found " << value;
  for (Attribute extent : list)
    shape.push_back(*numberOf(extent));
  return success();
}

// Gives a number of the dictionary the width that the op declares.
ParseResult BufferParser::takeInteger(SMLoc loc, StringRef name, unsigned width) {
  Attribute value = result.attributes.get(name);
  if (!value)
    return success();
  std::optional<int64_t> number = numberOf(value);
  if (!number || !llvm::isIntN(width, *number))
    return parser.emitError(loc) << "expected a number of " << width << " bits as " << name
                                 << ", found " << value;
  result.attributes.set(name, IntegerAttr::get(parser.getBuilder().getIntegerType(width), *number));
  return success();
}

ParseResult BufferParser::takeFields(SMLoc loc) {
  if (Attribute value = result.attributes.erase("shape"); value && setShape(loc, value))
    return failure();
  if (Attribute value = result.attributes.erase("element_type")) {
    auto type = dyn_cast<TypeAttr>(value);
    if (!type)
      return parser.emitError(loc) << "expected a type as element_type, found " << value;
    element = type.getValue();
  }
  if (Attribute value = result.attributes.erase("buffer_factor")) {
    factor = numberOf(value);
    if (!factor)
      return parser.emitError(loc) << "expected a number as buffer_factor, found " << value;
  }
  if (Attribute value = result.attributes.erase("memory_space");
      value && setMemorySpace(loc, spaceText(value)))
    return failure();
  if (takeInteger(loc, "buffer_index", 32) || takeInteger(loc, "page_size", 64))
    return failure();
  return result.name.verifyInherentAttrs(result.attributes, [&] {
    return parser.emitError(loc) << "'" << result.name.getStringRef() << "' op ";
  });
}

CircularBufferType BufferParser::getType(SMLoc loc) {
  if (!shape.empty() && element && factor)
    return CircularBufferType::getChecked([&] { return parser.emitError(loc); },
                                          parser.getContext(), ArrayRef<int64_t>(shape), element,
                                          *factor);
  parser.emitError(loc) << "expected shape, element_type and buffer_factor of the buffer, or its "
                           "type: !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>";
  return {};
}

// Parses `in(%t : tensor<..>)`.
static ParseResult parseBackingTensor(OpAsmParser &parser, OperationState &result) {
  if (failed(parser.parseOptionalKeyword("in")))
    return success();
  Unresolved tensor;
  Type type;
  return failure(parser.parseLParen() || parser.parseOperand(tensor) ||
                 parseOrLookUpType(parser, tensor, type) || parser.parseRParen() ||
                 parser.resolveOperand(tensor, type, result.operands));
}

ParseResult CreateCBOp::parse(OpAsmParser &parser, OperationState &result) {
  std::string name;
  if (failed(parser.parseOptionalString(&name)))
    name = nameOfResult(parser, "cb");
  result.addAttribute("name", parser.getBuilder().getStringAttr(name));
  BufferParser fields(parser, result);
  SMLoc loc = parser.getCurrentLocation();
  if (parseBackingTensor(parser, result) || fields.parse() ||
      parser.parseOptionalAttrDict(result.attributes) || fields.takeFields(loc))
    return failure();
  CircularBufferType type, made;
  SMLoc typeLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalColon()) && parser.parseCustomTypeWithFallback(type))
    return failure();
  if ((!type || fields.hasFields()) && !(made = fields.getType(loc)))
    return failure();
  if (type && made && type != made)
    return parser.emitError(typeLoc)
           << "the buffer has the type " << type << ", but its fields say " << made;
  result.addTypes(type ? type : made);
  return success();
}

void CreateCBOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getNameAttr());
  if (getTensor())
    printer << " in(" << getTensor() << " : " << getTensor().getType() << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"name"});
  printer << " : ";
  printer.printStrippedAttrOrType(getType());
}

//===--------------------------------------------------------------------------===//
// ttl.tensor_accessor
//===--------------------------------------------------------------------------===//

ParseResult TensorAccessorOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved operand;
  RankedTensorType tensor;
  TensorAccessorType accessor;
  if (parser.parseOperand(operand) || parseAttributes(parser, result))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseType(tensor) || parser.parseArrow() ||
        parser.parseCustomTypeWithFallback(accessor))
      return failure();
  } else {
    Type type = lookUpType(parser, operand);
    if (!type)
      return failure();
    if (!(tensor = dyn_cast<RankedTensorType>(type)))
      return parser.emitError(operand.location)
             << "expected a tensor, found a value of type " << type;
    accessor = TensorAccessorType::get(parser.getContext(), tensor);
  }
  result.addTypes(accessor);
  return parser.resolveOperand(operand, tensor, result.operands);
}

void TensorAccessorOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTensor();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getTensor().getType() << " -> ";
  printer.printStrippedAttrOrType(getType());
}

//===--------------------------------------------------------------------------===//
// ttl.core, ttl.grid_size
//===--------------------------------------------------------------------------===//

// Parses `dims = 1` or `1`.
static ParseResult parseDims(OpAsmParser &parser, OperationState &result) {
  int64_t dims = 0;
  if (succeeded(parser.parseOptionalKeyword("dims")) && parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(dims))
    return failure();
  if (dims < 1)
    return parser.emitError(loc)
           << "dims is the number of coordinates and must be at least 1, found " << dims
           << "; a dimension is chosen by the result: %y, %x = " << result.name.getStringRef();
  result.addAttribute("dims", parser.getBuilder().getI64IntegerAttr(dims));
  return success();
}

static ParseResult parseQuery(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()) && (parseDims(parser, result) || parser.parseRParen()))
      return failure();
  } else if (succeeded(parser.parseOptionalKeyword("dims"))) {
    if (parser.parseEqual() || parseDims(parser, result))
      return failure();
  }
  if (parseAttributes(parser, result))
    return failure();
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseTypeList(result.types);
  auto dims = dyn_cast_or_null<IntegerAttr>(result.attributes.get("dims"));
  constexpr int64_t kMaxDims = 16;
  int64_t count = dims ? std::clamp<int64_t>(dims.getInt(), 0, kMaxDims) : 2;
  result.types.append(count, parser.getBuilder().getIndexType());
  return success();
}

template <typename OpT> static void printQuery(OpT op, OpAsmPrinter &printer) {
  SmallVector<StringRef, 1> elided;
  if (op.getDims() == 2)
    elided.push_back("dims");
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " : " << op->getResultTypes();
}

ParseResult CoreOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseQuery(parser, result);
}
ParseResult GridSizeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseQuery(parser, result);
}
void CoreOp::print(OpAsmPrinter &printer) { printQuery(*this, printer); }
void GridSizeOp::print(OpAsmPrinter &printer) { printQuery(*this, printer); }
