//===- TTLDist.cpp - tensors that are distributed over a mesh -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLDist.h"

#include "ir/TTL/TTLAssembly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#define GET_ATTRDEF_CLASSES
#include "ir/TTL/TTLDistAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTL/TTLDistTypes.cpp.inc"

OptionalParseResult ttl::parseDistAttribute(AsmParser &parser, StringRef name,
                                            Attribute &attribute) {
  (void)generatedAttributeParser; // it would read the name, which the dialect has read
  if (name != PlacementAttr::getMnemonic())
    return std::nullopt;
  attribute = PlacementAttr::parse(parser, {});
  return success(attribute != nullptr);
}

OptionalParseResult ttl::parseDistType(AsmParser &parser, StringRef name, Type &type) {
  (void)generatedTypeParser;
  if (name != DistTensorType::getMnemonic())
    return std::nullopt;
  type = DistTensorType::parse(parser);
  return success(type != nullptr);
}

bool ttl::printDistAttribute(Attribute attribute, AsmPrinter &printer) {
  return succeeded(generatedAttributePrinter(attribute, printer));
}

bool ttl::printDistType(Type type, AsmPrinter &printer) {
  return succeeded(generatedTypePrinter(type, printer));
}

//===--------------------------------------------------------------------------===//
// Placements
//===--------------------------------------------------------------------------===//

static ParseResult parseExtents(AsmParser &parser, StringRef name,
                                function_ref<ParseResult()> parseEntry) {
  return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry));
}

// Parses a dimension, -1 or `sum`.
static ParseResult parseDim(AsmParser &parser, int64_t &dim) {
  if (succeeded(parser.parseOptionalKeyword("sum"))) {
    dim = ttjit::layouts::kPartial;
    return success();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(dim))
    return failure();
  if (dim < ttjit::layouts::kReplicated)
    return parser.emitError(loc) << "a placement has dimensions of the tensor, -1 or sum, found "
                                 << dim;
  return success();
}

Attribute PlacementAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> mesh, dims;
  if (parser.parseLess() ||
      parseExtents(parser, "mesh", [&] { return parser.parseInteger(mesh.emplace_back()); }) ||
      parser.parseComma() ||
      parseExtents(parser, "dims", [&] { return parseDim(parser, dims.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<PlacementAttr>(loc, parser.getContext(), mesh, dims);
}

void PlacementAttr::print(AsmPrinter &printer) const {
  printer << "<mesh = [" << getMesh() << "], dims = [";
  llvm::interleaveComma(getDims(), printer.getStream(), [&](int64_t dim) {
    if (dim == ttjit::layouts::kPartial)
      printer << "sum";
    else
      printer << dim;
  });
  printer << "]>";
}

LogicalResult PlacementAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int64_t> mesh, ArrayRef<int64_t> dims) {
  constexpr int64_t kMostAxes = 4, kMostChips = 1024; // ttnn.open_mesh_device opens as many
  if (mesh.empty() || static_cast<int64_t>(mesh.size()) > kMostAxes)
    return emitError() << "the mesh of a placement has 1 to " << kMostAxes << " axes, found "
                       << mesh.size();
  for (int64_t extent : mesh)
    if (extent < 1)
      return emitError() << "the extents of a mesh must be at least 1, found " << extent;
  std::optional<int64_t> chips = ttjit::layouts::volumeOf(mesh);
  if (!chips || *chips > kMostChips)
    return emitError() << "the mesh of a placement has at most " << kMostChips << " chips";
  if (mesh.size() != dims.size())
    return emitError() << "a placement has one dimension for each of the " << mesh.size()
                       << " axes of the mesh, found " << dims.size();
  return success();
}

ArrayRef<int64_t> PlacementAttr::getMesh() const { return getImpl()->mesh; }
ArrayRef<int64_t> PlacementAttr::getDims() const { return getImpl()->dims; }

ttjit::layouts::MeshPlacement PlacementAttr::getPlacement() const {
  return {ttjit::layouts::Shape(getMesh()), ttjit::layouts::Shape(getDims())};
}

bool PlacementAttr::isPartial() const {
  return llvm::is_contained(getDims(), ttjit::layouts::kPartial);
}

//===--------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------===//

Type DistTensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("grid")))
    return parser.parseEqual() || parser.parseLSquare() ? Type()
                                                        : parseDistTensorOfDesign(parser, loc);
  if (succeeded(parser.parseOptionalLSquare()))
    return parseDistTensorOfDesign(parser, loc);
  SmallVector<int64_t> shape;
  Type element;
  PlacementAttr placement;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseCustomAttributeWithFallback(placement) || parser.parseGreater())
    return {};
  return parser.getChecked<DistTensorType>(loc, parser.getContext(), shape, element, placement);
}

void DistTensorType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printer << getElementType() << ", " << getPlacement() << ">";
}

// Checks that the parts of a dimension are equal.
static LogicalResult verifyParts(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element, PlacementAttr placement) {
  StringRef unit = isa<ttcore::TileType>(element) ? " tiles" : "";
  ttjit::layouts::Shape parts = partsOf(placement.getPlacement(), shape.size());
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent % parts[dim])
      return emitError() << placement << " cuts dimension " << dim << " of extent " << extent
                         << unit << " into " << parts[dim]
                         << " parts, which are not equal: pad the tensor, or cut another dimension";
  return success();
}

LogicalResult DistTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<int64_t> shape, Type element,
                                     PlacementAttr placement) {
  constexpr int64_t kMost = int64_t(1) << 31; // elements
  if (!element.isIntOrFloat() && !isa<ttcore::TileType>(element))
    return emitError() << "a distributed tensor has integers, floats or tiles, found " << element;
  for (int64_t extent : shape)
    if (extent < 1)
      return emitError() << "the extents of a distributed tensor must be at least 1, found "
                         << extent;
  std::optional<int64_t> volume = ttjit::layouts::volumeOf(shape);
  if (!volume || *volume > kMost)
    return emitError() << "a distributed tensor has at most 2^31 elements";
  for (int64_t dim : placement.getDims())
    if (dim >= static_cast<int64_t>(shape.size()))
      return emitError() << placement << " cuts dimension " << dim << " of a tensor with "
                         << shape.size() << " dimensions";
  return verifyParts(emitError, shape, element, placement);
}

ArrayRef<int64_t> DistTensorType::getShape() const { return getImpl()->shape; }
Type DistTensorType::getElementType() const { return getImpl()->elementType; }
PlacementAttr DistTensorType::getPlacement() const { return getImpl()->placement; }

RankedTensorType DistTensorType::getLocalType() const {
  return RankedTensorType::get(*localShape(getPlacement().getPlacement(), getShape()),
                               getElementType());
}

int64_t DistTensorType::getElementBytes() const {
  if (auto tile = dyn_cast<ttcore::TileType>(getElementType()))
    return tile.getSizeBytes();
  unsigned bits = getElementType().getIntOrFloatBitWidth();
  return bits == 1 ? 2 : llvm::divideCeil(bits, 8); // a chip stores an i1 as a bf16
}

FailureOr<bufferization::BufferLikeType>
DistTensorType::getBufferType(const bufferization::BufferizationOptions &,
                              function_ref<InFlightDiagnostic()>) const {
  RankedTensorType local = getLocalType();
  return cast<bufferization::BufferLikeType>(
      Type(MemRefType::get(local.getShape(), local.getElementType())));
}

LogicalResult
DistTensorType::verifyCompatibleBufferType(bufferization::BufferLikeType buffer,
                                           function_ref<InFlightDiagnostic()> emitError) const {
  auto memref = dyn_cast<MemRefType>(Type(buffer));
  if (memref && memref.getShape() == getLocalType().getShape() &&
      memref.getElementType() == getElementType())
    return success();
  return emitError() << "the buffer of " << *this << " has the shape of a part, found " << buffer;
}

//===--------------------------------------------------------------------------===//
// Text of the design documents
//===--------------------------------------------------------------------------===//

namespace {
// `grid = [4, 2], shard = [16, 8], f32, sharded, dram`; the names may be left out.
struct DesignText {
  SmallVector<int64_t> grid, shard;
  Type element;
  StringRef strategy = "sharded", memory = "dram";

  ParseResult parse(AsmParser &parser);
  SmallVector<int64_t> wholeShape() const;
};
} // namespace

ParseResult DesignText::parse(AsmParser &parser) {
  auto parseList = [&](SmallVector<int64_t> &extents) -> ParseResult {
    auto parseExtent = [&] { return parser.parseInteger(extents.emplace_back()); };
    return failure(parser.parseCommaSeparatedList(parseExtent) || parser.parseRSquare() ||
                   parser.parseComma());
  };
  if (parseList(grid) || (succeeded(parser.parseOptionalKeyword("shard")) && parser.parseEqual()) ||
      parser.parseLSquare() || parseList(shard) || parser.parseType(element))
    return failure();
  if (succeeded(parser.parseOptionalComma()) && parser.parseKeyword(&strategy))
    return failure();
  if (succeeded(parser.parseOptionalComma()) && parser.parseKeyword(&memory))
    return failure();
  return parser.parseGreater();
}

// Returns the shape of the tensor if all its shards differ.
SmallVector<int64_t> DesignText::wholeShape() const {
  SmallVector<int64_t> shape;
  for (auto [parts, extent] : llvm::zip(grid, shard))
    shape.push_back(parts * extent);
  return shape;
}

// Returns the type of a tensor on the cores of one chip.
static std::string tensorOfChip(const DesignText &text, StringRef memory, StringRef layout) {
  std::string type;
  llvm::raw_string_ostream stream(type);
  stream << "tensor<";
  for (int64_t extent : text.wholeShape())
    stream << extent << "x";
  stream << text.element << ", #ttl.tensor_encoding<" << memory << ", <" << layout << ">>>";
  return type;
}

static std::string asExtents(ArrayRef<int64_t> extents) {
  return llvm::join(llvm::map_range(extents, [](int64_t extent) { return std::to_string(extent); }),
                    "x");
}

// Returns the reason why no placement on a mesh has the meaning of the text, and what to write;
// empty if there is one.
static std::string whyNoPlacement(const DesignText &text) {
  std::optional<ttcore::MemorySpace> memory = lookUpMemorySpace(text.memory);
  if (!memory)
    return "unknown memory space '" + text.memory.str() + "': expected dram or l1";
  if (text.grid.size() != text.shard.size())
    return "the grid has " + std::to_string(text.grid.size()) + " extents and the shard " +
           std::to_string(text.shard.size()) + ": expected one of each for a dimension";
  if (text.strategy == "interleaved")
    return "interleaved pages are in the banks of one chip, not of a mesh: write " +
           tensorOfChip(text, "dram", "interleaved, tile = 32x32");
  if (text.strategy != "sharded" && text.strategy != "replicated")
    return "unknown strategy '" + text.strategy.str() +
           "': expected sharded, replicated or interleaved";
  if (*memory == ttcore::MemorySpace::DeviceL1)
    return "shards in l1 are on the cores of one chip, and a distributed tensor is on the chips of "
           "a mesh: write dram, or " +
           tensorOfChip(text, "l1",
                        "sharded, tile = 32x32, grid = " + asExtents(text.grid) +
                            ", shard = " + asExtents(text.shard));
  return "";
}

Type ttl::parseDistTensorOfDesign(AsmParser &parser, SMLoc loc) {
  DesignText text;
  if (text.parse(parser))
    return {};
  std::string why = whyNoPlacement(text);
  if (!why.empty()) {
    parser.emitError(loc) << why;
    return {};
  }
  bool isSharded = text.strategy == "sharded";
  SmallVector<int64_t> dims(text.grid.size(), ttjit::layouts::kReplicated);
  if (isSharded)
    std::iota(dims.begin(), dims.end(), 0);
  auto placement = parser.getChecked<PlacementAttr>(loc, parser.getContext(), text.grid, dims);
  if (!placement)
    return {};
  return parser.getChecked<DistTensorType>(loc, parser.getContext(),
                                           isSharded ? text.wholeShape() : text.shard, text.element,
                                           placement);
}
