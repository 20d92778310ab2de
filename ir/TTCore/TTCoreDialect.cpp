//===- TTCoreDialect.cpp - the dialect ttcore, its attributes -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCoreLayouts.h"

#include "ir/Messages/UnknownNames.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::ttcore;

#define GET_OP_CLASSES
#include "ir/TTCore/TTCoreOps.h.inc"

#include "ir/TTCore/TTCoreDialect.cpp.inc"
#include "ir/TTCore/TTCoreEnums.cpp.inc"
#include "ir/TTCore/TTCoreInterfaces.cpp.inc"
#include "ir/TTCore/TTCoreLayoutEnums.cpp.inc"

// Parses and prints `1x2`, or nothing.
static ParseResult parseExtents(AsmParser &parser, SmallVectorImpl<int64_t> &extents) {
  SmallVector<int64_t> list;
  if (parser.parseDimensionList(list, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return failure();
  extents = list;
  return success();
}

static void printExtents(AsmPrinter &printer, ArrayRef<int64_t> extents) {
  printer.printDimensionList(extents);
}

#define GET_ATTRDEF_CLASSES
#include "ir/TTCore/TTCoreAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "ir/TTCore/TTCoreOps.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTCore/TTCoreTypes.cpp.inc"

// Lets tiles be elements of memrefs, as in modules of tt-mlir.
namespace {
struct TileInMemRef : MemRefElementTypeInterface::ExternalModel<TileInMemRef, TileType> {};
} // namespace

void TTCoreDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TTCore/TTCoreAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/TTCore/TTCoreTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/TTCore/TTCoreOps.cpp.inc"
      >();
  TileType::attachInterface<TileInMemRef>(*getContext());
}

//===--------------------------------------------------------------------------===//
// Text of attributes and types
//===--------------------------------------------------------------------------===//

static std::string adviceOnAttribute(StringRef name) {
  SmallVector<StringRef> names = ttjit::mnemonicsOf<
#define GET_ATTRDEF_LIST
#include "ir/TTCore/TTCoreAttrs.cpp.inc"
      >();
  llvm::SmallSetVector<StringRef, 32> distinct(names.begin(), names.end()); // two are "grid"
  return ttjit::describeUnknown("attribute of ttcore", name, distinct.getArrayRef());
}

// Returns whether an attribute of this name states a fact of tt-mlir that nothing here depends
// on.
static bool isText(StringRef name) {
  return llvm::is_contained<StringRef>({"arg_alloc", "argument_type", "attention_mask_type",
                                        "local_shape", "mesh_topology", "moe_activation_function",
                                        "reduce_type", "shard_status", "tensor_mesh"},
                                       name);
}

Attribute TTCoreDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef text = parser.getFullSymbolSpec();
  if (isText(text.take_until([](char c) { return c == '<' || c == ' '; })))
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()), text,
                           NoneType::get(getContext()));
  return ttjit::parseKnown<Attribute>(
      parser,
      [&](StringRef *name, Attribute &attribute) {
        return generatedAttributeParser(parser, name, type, attribute);
      },
      adviceOnAttribute);
}

void TTCoreDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

static std::string adviceOnType(StringRef name) {
  return ttjit::describeUnknown("type of ttcore", name,
                                ttjit::mnemonicsOf<
#define GET_TYPEDEF_LIST
#include "ir/TTCore/TTCoreTypes.cpp.inc"
                                    >());
}

Type TTCoreDialect::parseType(DialectAsmParser &parser) const {
  return ttjit::parseKnown<Type>(
      parser, [&](StringRef *name, Type &type) { return generatedTypeParser(parser, name, type); },
      adviceOnType);
}

void TTCoreDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}

//===--------------------------------------------------------------------------===//
// #ttcore.grid
//===--------------------------------------------------------------------------===//

Attribute GridAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> shape;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalLSquare())) { // `[2, 2]` instead of `2x2`
    auto extent = [&] { return parser.parseInteger(shape.emplace_back()); };
    if (parser.parseCommaSeparatedList(extent) || parser.parseRSquare())
      return {};
  } else if (parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false)) {
    return {};
  }
  if (succeeded(parser.parseOptionalComma()))
    return parseGridMaps(parser, shape);
  if (parser.parseGreater())
    return {};
  return parser.getChecked<GridAttr>(parser.getContext(), shape);
}

void GridAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << ">";
}

LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape) {
  if (shape.empty())
    return emitError() << "a grid must have at least one dimension";
  constexpr int64_t kMaxNodes = int64_t(1) << 20; // that the emulated device supports
  int64_t nodes = 1;
  for (int64_t extent : shape) {
    if (extent < 1)
      return emitError() << "the extents of a grid must be at least 1, found " << extent;
    if (extent > kMaxNodes / nodes)
      return emitError() << "a grid can have at most " << kMaxNodes << " nodes";
    nodes *= extent;
  }
  return success();
}

int64_t GridAttr::getNumCores() const { return ShapedType::getNumElements(getShape()); }

//===--------------------------------------------------------------------------===//
// #ttcore.core_range: made where its storage is; the rest is in TTCoreRanges.cpp
//===--------------------------------------------------------------------------===//

static ParseResult parseCore(AsmParser &parser, SmallVectorImpl<int64_t> &core) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                        [&] { return parser.parseInteger(core.emplace_back()); });
}

Attribute CoreRangeAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> start, end;
  if (parser.parseLess() || parseCore(parser, start) || parser.parseComma() ||
      parseCore(parser, end) || parser.parseGreater())
    return {};
  return parser.getChecked<CoreRangeAttr>(parser.getContext(), start, end);
}

//===--------------------------------------------------------------------------===//
// Attributes whose text is kept
//===--------------------------------------------------------------------------===//

// Returns the text after the attribute's name, brackets included.
static StringRef textAfter(StringRef mnemonic, AsmParser &parser) {
  return static_cast<DialectAsmParser &>(parser).getFullSymbolSpec().drop_front(mnemonic.size());
}

Attribute SystemDescAttr::parse(AsmParser &parser, Type) {
  return get(parser.getContext(), textAfter(getMnemonic(), parser));
}

void SystemDescAttr::print(AsmPrinter &printer) const { printer << getText(); }

Attribute FabricConnectionConfigAttr::parse(AsmParser &parser, Type) {
  return get(parser.getContext(), textAfter(getMnemonic(), parser));
}

void FabricConnectionConfigAttr::print(AsmPrinter &printer) const { printer << getText(); }
