//===- TTCoreLayouts.cpp - layouts of tensors, virtual grids ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCoreLayouts.h"

#include "ir/Messages/UnknownNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt::ttcore;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Text of #ttcore.metal_layout
//===--------------------------------------------------------------------------===//

namespace {

class MetalLayoutParser {
public:
  explicit MetalLayoutParser(AsmParser &parser) : parser(parser) {}

  Attribute parse();

private:
  ParseResult parseField();
  ParseResult parseValue(StringRef name, SMLoc loc);
  ParseResult parseExtents(std::optional<SmallVector<int64_t>> &extents, StringRef name, SMLoc loc);
  ParseResult parseIntervals(SMLoc loc);
  ParseResult parseIndexMap(SMLoc loc);
  ParseResult parseWord(StringRef word, SMLoc loc);
  ParseResult refuseTwice(StringRef name, SMLoc loc) {
    return parser.emitError(loc) << "metal_layout has " << name << " twice";
  }
  // What is missing; empty if nothing is.
  StringRef missing() const;

  AsmParser &parser;
  std::optional<SmallVector<int64_t>> logicalShape, dimAlignments;
  DenseIntElementsAttr intervals;
  std::optional<MemorySpace> space;
  std::optional<TensorMemoryLayout> memory;
};

} // namespace

ParseResult MetalLayoutParser::parseExtents(std::optional<SmallVector<int64_t>> &extents,
                                            StringRef name, SMLoc loc) {
  if (extents)
    return refuseTwice(name, loc);
  extents.emplace();
  return parser.parseDimensionList(*extents, /*allowDynamic=*/false, /*withTrailingX=*/false);
}

ParseResult MetalLayoutParser::parseIntervals(SMLoc loc) {
  if (intervals)
    return refuseTwice("collapsed_intervals", loc);
  SMLoc value = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  intervals = dyn_cast<DenseIntElementsAttr>(attribute);
  if (intervals)
    return success();
  return parser.emitError(value) << "expected pairs of dimensions, such as dense<[[0, 1], [1, 2]]> "
                                    ": tensor<2x2xi64>, found "
                                 << attribute;
}

// Parses the index map of older text, `map(0)` or an affine map. Only one that changes nothing can
// be ignored.
ParseResult MetalLayoutParser::parseIndexMap(SMLoc loc) {
  if (succeeded(parser.parseOptionalKeyword("map"))) {
    int64_t rank;
    return failure(parser.parseLParen() || parser.parseInteger(rank) || parser.parseRParen());
  }
  AffineMap map;
  if (parser.parseAffineMap(map))
    return failure();
  if (map.isEmpty() || map.isIdentity())
    return success();
  return parser.emitError(loc) << "an index_map that is not the identity is not supported: make a "
                                  "view with d2m.view_layout, which has the map";
}

// Parses a word that stands alone: memory space, memory layout or the value of padding.
ParseResult MetalLayoutParser::parseWord(StringRef word, SMLoc loc) {
  if (std::optional<MemorySpace> known = symbolizeMemorySpace(word)) {
    if (space)
      return refuseTwice("a memory space", loc);
    space = known;
  } else if (std::optional<TensorMemoryLayout> known = symbolizeTensorMemoryLayout(word)) {
    if (memory)
      return refuseTwice("a memory layout", loc);
    memory = known;
  } else if (!symbolizeOOBVal(word)) {
    return parser.emitError(loc) << describeUnknown("field of metal_layout", word,
                                                    {"logical_shape", "dim_alignments",
                                                     "collapsed_intervals", "index_map", "l1",
                                                     "dram", "system", "sharded", "interleaved"});
  }
  return success();
}

ParseResult MetalLayoutParser::parseValue(StringRef name, SMLoc loc) {
  if (name == "logical_shape")
    return parseExtents(logicalShape, name, loc);
  if (name == "dim_alignments")
    return parseExtents(dimAlignments, name, loc);
  if (name == "collapsed_intervals")
    return parseIntervals(loc);
  if (name == "index_map")
    return parseIndexMap(loc);
  return parser.emitError(loc) << describeUnknown(
             "field of metal_layout", name,
             {"logical_shape", "dim_alignments", "collapsed_intervals", "index_map"});
}

ParseResult MetalLayoutParser::parseField() {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.emitError(loc) << "expected a field of metal_layout, such as logical_shape = "
                                    "64x128; layouts that begin with a map are of an old tt-mlir "
                                    "and not supported";
  if (succeeded(parser.parseOptionalEqual()))
    return parseValue(name, loc);
  return parseWord(name, loc);
}

StringRef MetalLayoutParser::missing() const {
  if (!logicalShape)
    return "logical_shape = 64x128";
  if (!dimAlignments)
    return "dim_alignments = 32x32";
  if (!intervals)
    return "collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>";
  return space ? "" : "a memory space: l1, dram or system";
}

Attribute MetalLayoutParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     [&] { return parseField(); }))
    return {};
  if (StringRef text = missing(); !text.empty()) {
    parser.emitError(loc) << "metal_layout lacks " << text;
    return {};
  }
  return parser.getChecked<MetalLayoutAttr>(
      loc, parser.getContext(), ArrayRef<int64_t>(*logicalShape), ArrayRef<int64_t>(*dimAlignments),
      intervals, *space, memory.value_or(TensorMemoryLayout::Sharded));
}

Attribute MetalLayoutAttr::parse(AsmParser &parser, Type) {
  return MetalLayoutParser(parser).parse();
}

void MetalLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<logical_shape = ";
  printer.printDimensionList(getLogicalShape());
  printer << ", dim_alignments = ";
  printer.printDimensionList(getDimAlignments());
  printer << ", collapsed_intervals = " << getCollapsedIntervals() << ", "
          << stringifyMemorySpace(getMemorySpace()) << ", "
          << stringifyTensorMemoryLayout(getMemoryLayout()) << ">";
}

//===--------------------------------------------------------------------------===//
// Meaning of #ttcore.metal_layout
//===--------------------------------------------------------------------------===//

static bool isPairs(DenseIntElementsAttr intervals) {
  ShapedType type = intervals.getType();
  return type.getRank() == 2 && type.getDimSize(1) == 2 && type.getElementType().isInteger(64);
}

static layouts::Intervals pairsOf(DenseIntElementsAttr intervals) {
  layouts::Intervals result;
  auto values = intervals.getValues<int64_t>();
  for (auto bound = values.begin(); bound != values.end();) {
    int64_t begin = *bound++;
    result.push_back({begin, *bound++});
  }
  return result;
}

LogicalResult MetalLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                      ArrayRef<int64_t> logicalShape,
                                      ArrayRef<int64_t> dimAlignments,
                                      DenseIntElementsAttr intervals, MemorySpace space,
                                      TensorMemoryLayout memory) {
  if (!isPairs(intervals))
    return emitError() << "collapsed_intervals must be pairs of 64-bit integers, one pair for each "
                          "interval (tensor<2x2xi64>), found "
                       << intervals.getType();
  if (space != MemorySpace::DeviceL1 && space != MemorySpace::DeviceDRAM &&
      space != MemorySpace::System)
    return emitError() << "the memory space of a tensor must be l1, dram or system, found "
                       << stringifyMemorySpace(space);
  if (memory != TensorMemoryLayout::Sharded && memory != TensorMemoryLayout::Interleaved)
    return emitError() << "the memory layout of a tensor must be sharded or interleaved, found "
                       << stringifyTensorMemoryLayout(memory);
  if (std::optional<std::string> mistake =
          layouts::whyNoLayout(logicalShape, dimAlignments, pairsOf(intervals)))
    return emitError() << *mistake;
  return success();
}

layouts::Layout MetalLayoutAttr::getLayout() const {
  int64_t rank = getLogicalShape().size();
  return {layouts::Shape(getLogicalShape()), layouts::Shape(getDimAlignments()),
          layouts::normalizeIntervals(pairsOf(getCollapsedIntervals()), rank)};
}

//===--------------------------------------------------------------------------===//
// Virtual grids
//===--------------------------------------------------------------------------===//

Attribute tt::ttcore::parseGridMaps(AsmParser &parser, ArrayRef<int64_t> shape) {
  SMLoc loc = parser.getCurrentLocation();
  AffineMap toCore, toPoint;
  if (parser.parseKeyword("virt_to_physical_map") || parser.parseEqual() ||
      parser.parseAffineMap(toCore) || parser.parseComma() ||
      parser.parseKeyword("physical_to_virt_map") || parser.parseEqual() ||
      parser.parseAffineMap(toPoint) || parser.parseGreater())
    return {};
  return parser.getChecked<VirtualGridAttr>(loc, parser.getContext(), shape, toCore, toPoint);
}

Attribute VirtualGridAttr::parse(AsmParser &parser, Type type) {
  return GridAttr::parse(parser, type);
}

void VirtualGridAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << ", virt_to_physical_map = " << getVirtToPhysicalMap()
          << ", physical_to_virt_map = " << getPhysicalToVirtMap() << ">";
}

LogicalResult VirtualGridAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                      ArrayRef<int64_t> shape, AffineMap toCore,
                                      AffineMap toPoint) {
  if (failed(GridAttr::verify(emitError, shape)))
    return failure();
  if (toCore.getNumDims() != shape.size())
    return emitError() << "virt_to_physical_map must have one dimension for each of the grid's "
                       << shape.size() << ", found " << toCore.getNumDims();
  for (AffineMap map : {toCore, toPoint})
    if (map.getNumSymbols() != 0)
      return emitError() << "the maps of a grid must have no symbols, found "
                         << AffineMapAttr::get(map);
  return success();
}

// Writes the row-major number of a point as an expression.
static AffineExpr numberOf(MLIRContext *context, ArrayRef<int64_t> shape) {
  AffineExpr number = getAffineConstantExpr(0, context);
  for (auto [dim, extent] : llvm::enumerate(shape))
    number = number * extent + getAffineDimExpr(dim, context);
  return number;
}

VirtualGridAttr VirtualGridAttr::get(MLIRContext *context, ArrayRef<int64_t> shape,
                                     layouts::Rectangle rectangle) {
  AffineExpr zero = getAffineConstantExpr(0, context);
  AffineExpr point = numberOf(context, shape);
  AffineMap toCore = AffineMap::get(
      shape.size(), 0,
      {zero, point.floorDiv(rectangle.columns) % rectangle.rows, point % rectangle.columns},
      context);
  AffineExpr core = numberOf(context, {rectangle.rows, rectangle.columns});
  SmallVector<AffineExpr> results = {zero};
  int64_t below = ShapedType::getNumElements(shape);
  for (int64_t extent : shape) {
    below /= extent;
    results.push_back(core.floorDiv(below) % extent);
  }
  return get(context, shape, toCore, AffineMap::get(2, 0, results, context));
}
