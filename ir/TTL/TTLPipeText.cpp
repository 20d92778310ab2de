//===- TTLPipeText.cpp - text of pipes and semaphores -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The printers write one form of each op; the parsers also read those of the design documents.
// Where a document has a number instead of a value, the op becomes one of TTLAliasOps.td.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLFields.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

using Unresolved = OpAsmParser::UnresolvedOperand;

// Parses `"name"`, or takes the name of the result.
static void parseName(OpAsmParser &parser, OperationState &result, StringRef kind) {
  std::string name;
  if (failed(parser.parseOptionalString(&name)))
    name = nameOfResult(parser, kind);
  result.addAttribute("name", parser.getBuilder().getStringAttr(name));
}

//===--------------------------------------------------------------------------===//
// Ranges of nodes
//===--------------------------------------------------------------------------===//

// Parses `(1, 4)` or `(1, 4, 1)` after `slice`.
static ParseResult parseSliceCall(OpAsmParser &parser, Attribute &slice) {
  SmallVector<int64_t> numbers;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&] { return parser.parseInteger(numbers.emplace_back()); }))
    return failure();
  if (numbers.size() < 2 || numbers.size() > 3)
    return parser.emitError(loc) << "expected slice(start, stop) or slice(start, stop, step)";
  slice = SliceAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                                numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1);
  return success(static_cast<bool>(slice));
}

static ParseResult parseRangeElement(OpAsmParser &parser, SmallVectorImpl<Attribute> &slices) {
  int64_t only = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (OptionalParseResult integer = parser.parseOptionalInteger(only); integer.has_value()) {
    slices.push_back(SliceAttr::get(parser.getContext(), only, only + 1, 1));
    return *integer;
  }
  if (succeeded(parser.parseOptionalKeyword("slice")))
    return parseSliceCall(parser, slices.emplace_back());
  if (parser.parseAttribute(slices.emplace_back()))
    return failure();
  if (!isa<SliceAttr, ArrayAttr>(slices.back()))
    return parser.emitError(loc) << "expected a slice such as #ttl.slice<1, 4, 1>, found "
                                 << slices.back();
  return success();
}

// Returns the coordinates of a corner; nothing if it is none.
static std::optional<SmallVector<int64_t>> coordinatesOf(Attribute corner) {
  auto numbers = dyn_cast<ArrayAttr>(corner);
  auto isCoordinate = [](Attribute number) {
    auto integer = dyn_cast<IntegerAttr>(number);
    return integer && integer.getType().isInteger(64) && llvm::isInt<32>(integer.getInt());
  };
  if (!numbers || !llvm::all_of(numbers, isCoordinate))
    return std::nullopt;
  return llvm::map_to_vector(numbers.getAsRange<IntegerAttr>(),
                             [](IntegerAttr number) { return number.getInt(); });
}

// Replaces two corners of a rectangle, which both belong to it, by one slice per dimension.
static ParseResult expandCorners(OpAsmParser &parser, SMLoc loc,
                                 SmallVectorImpl<Attribute> &slices) {
  if (llvm::none_of(slices, llvm::IsaPred<ArrayAttr>))
    return success();
  auto first = coordinatesOf(slices.front()), last = coordinatesOf(slices.back());
  if (slices.size() != 2 || !first || !last || first->size() != last->size())
    return parser.emitError(loc) << "expected two corners, such as [[0, 0], [1, 3]] for the "
                                    "columns 0 to 1 and the rows 0 "
                                    "to 3, or one slice per dimension, such as #ttl.slice<1, 4, 1>";
  slices.clear();
  for (auto [low, high] : llvm::zip_equal(*first, *last)) {
    if (high < low)
      return parser.emitError(loc)
             << "the second corner of a range must not be before the first: " << high
             << " is less than " << low;
    slices.push_back(SliceAttr::get(parser.getContext(), low, high + 1, 1));
  }
  return success();
}

ParseResult ttl::parseSliceRange(OpAsmParser &parser, ArrayAttr &range) {
  SmallVector<Attribute> slices;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseRangeElement(parser, slices); }) ||
      expandCorners(parser, loc, slices))
    return failure();
  range = parser.getBuilder().getArrayAttr(slices);
  return success();
}

void ttl::printSliceRange(OpAsmPrinter &printer, ArrayAttr range) { printer << range; }

//===--------------------------------------------------------------------------===//
// ttl.create_pipe
//===--------------------------------------------------------------------------===//

static constexpr StringRef kPipeNames[] = {"src",      "dst",      "dst_range",
                                           "src_core", "dst_core", "dst_core_range"};
static constexpr Fields kPipeFields = {"a pipe", kPipeNames, "expected src, dst or dst_range"};

// Parses the value of `src = [0, 0]` and the like.
static ParseResult parsePipeEnd(OpAsmParser &parser, OperationState &result, StringRef name) {
  if (name == "dst_range" || name == "dst_core_range") {
    ArrayAttr range;
    if (parseSliceRange(parser, range))
      return failure();
    result.addAttribute("dst_range", range);
    return success();
  }
  SmallVector<int64_t> coords;
  if (parseCoords(parser, coords))
    return failure();
  result.addAttribute(name.take_front(3), parser.getBuilder().getDenseI64ArrayAttr(coords));
  return success();
}

ParseResult CreatePipeOp::parse(OpAsmParser &parser, OperationState &result) {
  PipeType type = PipeType::get(parser.getContext(), {}, {}, {});
  auto parseEnd = [&](StringRef name) { return parsePipeEnd(parser, result, name); };
  if (parseFields(parser, kPipeFields, parseEnd) || parseAttributes(parser, result) ||
      (succeeded(parser.parseOptionalColon()) && parser.parseCustomTypeWithFallback(type)))
    return failure();
  if (!result.attributes.get("src"))
    return parser.emitError(parser.getNameLoc())
           << "expected the node at which the pipe begins: src = [0, 0]";
  result.addTypes(type);
  return success();
}

void CreatePipeOp::print(OpAsmPrinter &printer) {
  printer << " src = ";
  printer.printStrippedAttrOrType(getSrcAttr());
  if (getDstAttr()) {
    printer << ", dst = ";
    printer.printStrippedAttrOrType(getDstAttr());
  }
  if (getDstRangeAttr()) {
    printer << ", dst_range = ";
    printSliceRange(printer, getDstRangeAttr());
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"src", "dst", "dst_range"});
  printer << " : ";
  printer.printStrippedAttrOrType(getType());
}

//===--------------------------------------------------------------------------===//
// ttl.create_pipenet, ttl.if_pipe_src, ttl.if_pipe_dst
//===--------------------------------------------------------------------------===//

ParseResult CreatePipeNetOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Unresolved> pipes;
  SmallVector<Type> types;
  PipeNetType type = PipeNetType::get(parser.getContext());
  parseName(parser, result, "net");
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(pipes))
    return failure();
  if (pipes.empty() ? succeeded(parser.parseOptionalColon()) && false
                    : failed(parseOrLookUpTypes(parser, loc, pipes, result)))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) && parser.parseCustomTypeWithFallback(type))
    return failure();
  result.addTypes(type);
  return parseAttributes(parser, result);
}

void CreatePipeNetOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getNameAttr());
  if (!getPipes().empty())
    printer << ' ' << getPipes();
  printer << " :";
  if (!getPipes().empty())
    printer << ' ' << getPipes().getTypes();
  printer << " -> ";
  printer.printStrippedAttrOrType(getType());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"name"});
}

ParseResult ttl::parseNetOperand(OpAsmParser &parser, Unresolved &net) {
  if (parser.parseOperand(net))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalComma()))
    return success();
  return parser.emitError(loc) << "expected one net of pipes: make it of the pipes with "
                                  "%net = ttl.create_pipenet %pipe1, %pipe2";
}

void ttl::printNetOperand(OpAsmPrinter &printer, Operation *, Value net) { printer << net; }

//===--------------------------------------------------------------------------===//
// ttl.create_semaphore
//===--------------------------------------------------------------------------===//

static constexpr StringRef kSemaphoreNames[] = {"initial_value", "is_remote"};
static constexpr Fields kSemaphoreFields = {"a semaphore", kSemaphoreNames,
                                            "expected initial_value or is_remote"};

// Drops `is_remote`: every semaphore has a word on every node, and ttl.get_remote_semaphore
// names the word of another node.
static ParseResult dropIsRemote(OpAsmParser &parser, OperationState &result, SMLoc loc) {
  Attribute value = result.attributes.erase("is_remote");
  if (!value || isa<BoolAttr, UnitAttr>(value))
    return success();
  return parser.emitError(loc) << "is_remote must be true or false, found " << value;
}

// Gives the number the width of a semaphore's word.
static ParseResult narrowInitialValue(OpAsmParser &parser, OperationState &result, SMLoc loc) {
  auto value = dyn_cast_or_null<IntegerAttr>(result.attributes.get("initial_value"));
  if (!value || !value.getType().isSignlessInteger(64))
    return success();
  if (!llvm::isInt<32>(value.getInt()) && !llvm::isUInt<32>(value.getInt()))
    return parser.emitError(loc) << "initial_value must be a number of 32 bits, found "
                                 << value.getInt();
  result.attributes.set(
      "initial_value", parser.getBuilder().getI32IntegerAttr(static_cast<int32_t>(value.getInt())));
  return success();
}

ParseResult CreateSemaphoreOp::parse(OpAsmParser &parser, OperationState &result) {
  SemaphoreType type = SemaphoreType::get(parser.getContext(), false);
  parseName(parser, result, "semaphore");
  SMLoc loc = parser.getCurrentLocation();
  auto parseValue = [&](StringRef name) {
    Attribute value;
    if (parser.parseAttribute(value))
      return ParseResult(failure());
    result.attributes.set(name, value);
    return ParseResult(success());
  };
  if (parseFields(parser, kSemaphoreFields, parseValue) ||
      parser.parseOptionalAttrDict(result.attributes) || dropIsRemote(parser, result, loc) ||
      narrowInitialValue(parser, result, loc) ||
      failed(result.name.verifyInherentAttrs(result.attributes, [&] {
        return parser.emitError(loc) << "'" << result.name.getStringRef() << "' op ";
      })))
    return failure();
  if (succeeded(parser.parseOptionalColon()) && parser.parseCustomTypeWithFallback(type))
    return failure();
  result.addTypes(type);
  return success();
}

void CreateSemaphoreOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getNameAttr());
  SmallVector<StringRef, 2> elided = {"name"};
  if (getInitialValue() == 0)
    elided.push_back("initial_value");
  printer.printOptionalAttrDict((*this)->getAttrs(), elided);
  printer << " : ";
  printer.printStrippedAttrOrType(getType());
}

//===--------------------------------------------------------------------------===//
// References to semaphores of other nodes
//===--------------------------------------------------------------------------===//

// Parses `: T -> U`; without it the operand's type is looked up. Resolves the operand.
static ParseResult parseReferenceTypes(OpAsmParser &parser, const Unresolved &semaphore,
                                       OperationState &result) {
  SemaphoreType local, remote = SemaphoreType::get(parser.getContext(), true);
  Type type;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseCustomTypeWithFallback(local) || parser.parseArrow() ||
        parser.parseCustomTypeWithFallback(remote))
      return failure();
    type = local;
  } else if (!(type = lookUpType(parser, semaphore))) {
    return failure();
  }
  result.addTypes(remote);
  return parser.resolveOperand(semaphore, type, result.operands);
}

static void printReferenceTypes(OpAsmPrinter &printer, SemaphoreType local, SemaphoreType remote) {
  printer << " : ";
  printer.printStrippedAttrOrType(local);
  printer << " -> ";
  printer.printStrippedAttrOrType(remote);
}

// Parses `, core = [0, 0]`.
static ParseResult parseConstantCore(OpAsmParser &parser, const Unresolved &semaphore,
                                     OperationState &result) {
  SmallVector<int64_t> core;
  if (parser.parseKeyword("core") || parser.parseEqual() || parseCoords(parser, core))
    return failure();
  become<RemoteSemaphoreAtOp>(parser, result);
  result.addAttribute("core", parser.getBuilder().getDenseI64ArrayAttr(core));
  return failure(parseAttributes(parser, result) || parseReferenceTypes(parser, semaphore, result));
}

ParseResult GetRemoteSemaphoreOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved semaphore;
  SmallVector<Unresolved> core;
  if (parser.parseOperand(semaphore))
    return failure();
  if (succeeded(parser.parseOptionalComma()))
    return parseConstantCore(parser, semaphore, result);
  return failure(parser.parseOperandList(core, AsmParser::Delimiter::Square) ||
                 parseAttributes(parser, result) ||
                 parseReferenceTypes(parser, semaphore, result) ||
                 parser.resolveOperands(core, parser.getBuilder().getIndexType(), result.operands));
}

void GetRemoteSemaphoreOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSemaphore() << '[' << getCore() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printReferenceTypes(printer, getSemaphore().getType(), getType());
}

// Parses `range [..]` or `, core_range = [..]`.
static ParseResult parseOptionalRange(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("core_range") || parser.parseEqual())
      return failure();
  } else if (failed(parser.parseOptionalKeyword("range"))) {
    return success();
  }
  ArrayAttr range;
  if (parseSliceRange(parser, range))
    return failure();
  if (!range.empty()) // an empty range means the whole grid, as no range does
    result.addAttribute("core_range", range);
  return success();
}

ParseResult GetRemoteMulticastSemaphoreOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved semaphore;
  SmallVector<Unresolved> corners;
  if (parser.parseOperand(semaphore) || parseOptionalRange(parser, result))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("cores")) &&
      parser.parseOperandList(corners, AsmParser::Delimiter::Paren))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("loopback")))
    result.addAttribute("loopback", parser.getBuilder().getUnitAttr());
  return failure(
      parseAttributes(parser, result) || parseReferenceTypes(parser, semaphore, result) ||
      parser.resolveOperands(corners, parser.getBuilder().getIndexType(), result.operands));
}

void GetRemoteMulticastSemaphoreOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSemaphore();
  if (getCoreRangeAttr()) {
    printer << " range ";
    printSliceRange(printer, getCoreRangeAttr());
  }
  if (!getCorners().empty())
    printer << " cores(" << getCorners() << ")";
  if (getLoopback())
    printer << " loopback";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"core_range", "loopback"});
  printReferenceTypes(printer, getSemaphore().getType(), getType());
}

//===--------------------------------------------------------------------------===//
// Operations on semaphores
//===--------------------------------------------------------------------------===//

// Parses `: type`, or finds the type where the semaphore is defined, and resolves the semaphore.
static ParseResult parseSemaphoreType(OpAsmParser &parser, const Unresolved &semaphore,
                                      OperationState &result) {
  SemaphoreType stated;
  Type type;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseCustomTypeWithFallback(stated))
      return failure();
    type = stated;
  } else if (!(type = lookUpType(parser, semaphore))) {
    return failure();
  }
  return parser.resolveOperand(semaphore, type, result.operands);
}

// Parses a number after `%s,`. The op becomes ttl.semaphore_number.
static ParseResult parseNumber(OpAsmParser &parser, const Unresolved &semaphore,
                               OperationState &result) {
  int32_t value = 0;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult number = parser.parseOptionalInteger(value);
  if (!number.has_value())
    return parser.emitError(loc) << "expected a number, or a value of type i32";
  StringRef action = result.name.getStringRef();
  action.consume_front("ttl.semaphore_");
  result.addAttribute("action", parser.getBuilder().getStringAttr(action));
  result.addAttribute("value", parser.getBuilder().getI32IntegerAttr(value));
  become<SemaphoreNumberOp>(parser, result);
  return failure(failed(*number) || parseAttributes(parser, result) ||
                 parseSemaphoreType(parser, semaphore, result));
}

// Parses `through %scratch : type`.
static ParseResult parseScratch(OpAsmParser &parser, OperationState &result,
                                SmallVectorImpl<Value> &scratch) {
  Unresolved operand;
  Type type;
  if (failed(parser.parseOptionalKeyword("through")))
    return success();
  return failure(parser.parseOperand(operand) || parser.parseColonType(type) ||
                 parser.resolveOperand(operand, type, scratch));
}

static ParseResult parseOperation(OpAsmParser &parser, OperationState &result, bool mayUseScratch) {
  Unresolved semaphore, value;
  SmallVector<Value> scratch;
  if (parser.parseOperand(semaphore) || parser.parseComma())
    return failure();
  OptionalParseResult operand = parser.parseOptionalOperand(value);
  if (!operand.has_value())
    return parseNumber(parser, semaphore, result);
  if (failed(*operand) || (mayUseScratch && parseScratch(parser, result, scratch)))
    return failure();
  if (mayUseScratch && succeeded(parser.parseOptionalKeyword("from_scratch")))
    result.addAttribute("from_scratch", parser.getBuilder().getUnitAttr());
  if (parseAttributes(parser, result) || parseSemaphoreType(parser, semaphore, result) ||
      parser.resolveOperand(value, parser.getBuilder().getI32Type(), result.operands))
    return failure();
  result.addOperands(scratch);
  return success();
}

template <typename OpT> static void printOperation(OpT op, OpAsmPrinter &printer) {
  printer << ' ' << op.getSemaphore() << ", " << op.getValue();
  if constexpr (std::is_same_v<OpT, SemaphoreSetOp>) {
    if (Value scratch = op.getScratch())
      printer << " through " << scratch << " : " << scratch.getType();
    if (op.getFromScratch())
      printer << " from_scratch";
  }
  printer.printOptionalAttrDict(op->getAttrs(), {"from_scratch"});
  printer << " : ";
  printer.printStrippedAttrOrType(op.getSemaphore().getType());
}

ParseResult SemaphoreWaitEqOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseOperation(parser, result, /*mayUseScratch=*/false);
}
ParseResult SemaphoreWaitMinOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseOperation(parser, result, /*mayUseScratch=*/false);
}
ParseResult SemaphoreSetOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseOperation(parser, result, /*mayUseScratch=*/true);
}
ParseResult SemaphoreIncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseOperation(parser, result, /*mayUseScratch=*/false);
}
void SemaphoreWaitEqOp::print(OpAsmPrinter &printer) { printOperation(*this, printer); }
void SemaphoreWaitMinOp::print(OpAsmPrinter &printer) { printOperation(*this, printer); }
void SemaphoreSetOp::print(OpAsmPrinter &printer) { printOperation(*this, printer); }
void SemaphoreIncOp::print(OpAsmPrinter &printer) { printOperation(*this, printer); }
