//===- TTCoreBuffers.cpp - layouts of memrefs ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCoreLayouts.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt::ttcore;

//===--------------------------------------------------------------------------===//
// What several layouts share
//===--------------------------------------------------------------------------===//

static ParseResult parseNumbers(AsmParser &parser, SmallVector<int64_t> &numbers) {
  return parser.parseDimensionList(numbers, /*allowDynamic=*/false, /*withTrailingX=*/false);
}

// Parses `<8192x4096, 2>`.
template <typename LayoutAttr> static Attribute parseSlots(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> stride;
  int64_t buffers;
  if (parser.parseLess() || parseNumbers(parser, stride) || parser.parseComma() ||
      parser.parseInteger(buffers) || parser.parseGreater())
    return {};
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), ArrayRef<int64_t>(stride),
                                       buffers);
}

static void printSlots(AsmPrinter &printer, ArrayRef<int64_t> stride, int64_t buffers) {
  printer << "<";
  printer.printDimensionList(stride);
  printer << ", " << buffers << ">";
}

static LogicalResult verifyStride(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> stride) {
  if (stride.empty())
    return emitError() << "expected the strides of a shard in bytes, such as 8192x4096";
  return success();
}

static LogicalResult verifySlots(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> stride, int64_t buffers) {
  constexpr int64_t kMost = 1 << 16; // more than any L1 has room for
  if (failed(verifyStride(emitError, stride)))
    return failure();
  if (buffers < 1 || buffers > kMost)
    return emitError() << "the number of buffers must be 1 to " << kMost << ", found " << buffers;
  return success();
}

// Returns (grid, shard) -> (grid, offset in the shard).
static AffineMap shardMap(MLIRContext *context, ArrayRef<int64_t> stride) {
  unsigned rank = stride.size();
  SmallVector<AffineExpr> results;
  AffineExpr offset = getAffineConstantExpr(0, context);
  for (unsigned dim = 0; dim < rank; ++dim) {
    results.push_back(getAffineDimExpr(dim, context));
    offset = offset + getAffineDimExpr(rank + dim, context) * stride[dim];
  }
  results.push_back(offset);
  return AffineMap::get(2 * rank, 0, results, context);
}

static LogicalResult verifyRank(function_ref<InFlightDiagnostic()> emitError, size_t found,
                                size_t expected, StringRef why) {
  if (found == expected)
    return success();
  return emitError() << "the memref must have rank " << expected << " (" << why << "), found rank "
                     << found;
}

static constexpr StringLiteral kGridAndShard = "the grid's extents, then those of a shard";

//===--------------------------------------------------------------------------===//
// #ttcore.shard
//===--------------------------------------------------------------------------===//

Attribute ShardLayoutAttr::parse(AsmParser &parser, Type) {
  return parseSlots<ShardLayoutAttr>(parser);
}

void ShardLayoutAttr::print(AsmPrinter &printer) const {
  printSlots(printer, getStride(), getBuffers());
}

LogicalResult ShardLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                      ArrayRef<int64_t> stride, int64_t buffers) {
  return verifySlots(emitError, stride, buffers);
}

AffineMap ShardLayoutAttr::getAffineMap() const { return shardMap(getContext(), getStride()); }

LogicalResult ShardLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                            function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(emitError, shape.size(), 2 * getStride().size(), kGridAndShard);
}

//===--------------------------------------------------------------------------===//
// #ttcore.interleaved
//===--------------------------------------------------------------------------===//

Attribute InterleavedLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> stride;
  if (parser.parseLess() || parseNumbers(parser, stride) || parser.parseGreater())
    return {};
  return parser.getChecked<InterleavedLayoutAttr>(loc, parser.getContext(),
                                                  ArrayRef<int64_t>(stride));
}

void InterleavedLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getStride());
  printer << ">";
}

LogicalResult InterleavedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                            ArrayRef<int64_t> stride) {
  return verifyStride(emitError, stride);
}

AffineMap InterleavedLayoutAttr::getAffineMap() const {
  return shardMap(getContext(), getStride());
}

LogicalResult
InterleavedLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(emitError, shape.size(), 2 * getStride().size(), kGridAndShard);
}

//===--------------------------------------------------------------------------===//
// #ttcore.cb_layout
//===--------------------------------------------------------------------------===//

Attribute CBLayoutAttr::parse(AsmParser &parser, Type) { return parseSlots<CBLayoutAttr>(parser); }

void CBLayoutAttr::print(AsmPrinter &printer) const {
  printSlots(printer, getStride(), getBuffers());
}

LogicalResult CBLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> stride, int64_t buffers) {
  return verifySlots(emitError, stride, buffers);
}

// Returns the identity: the indices of a block are those of the memref.
AffineMap CBLayoutAttr::getAffineMap() const {
  return AffineMap::getMultiDimIdentityMap(getStride().size(), getContext());
}

LogicalResult CBLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(emitError, shape.size(), getStride().size(), "the extents of a block");
}

//===--------------------------------------------------------------------------===//
// #ttcore.view
//===--------------------------------------------------------------------------===//

Attribute ViewLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned rank;
  if (parser.parseLess())
    return {};
  bool isOld = succeeded(parser.parseOptionalKeyword("map"));
  if ((isOld && parser.parseLParen()) || parser.parseInteger(rank) ||
      (isOld && parser.parseRParen()) || parser.parseGreater())
    return {};
  return parser.getChecked<ViewLayoutAttr>(loc, parser.getContext(), rank);
}

void ViewLayoutAttr::print(AsmPrinter &printer) const { printer << "<" << getRank() << ">"; }

LogicalResult ViewLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned rank) {
  constexpr unsigned kMostDims = 64;
  if (rank < 1 || rank > kMostDims)
    return emitError() << "the rank of a view must be 1 to " << kMostDims << ", found " << rank;
  return success();
}

AffineMap ViewLayoutAttr::getAffineMap() const {
  return AffineMap::getMultiDimIdentityMap(getRank(), getContext());
}

LogicalResult ViewLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                           function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(emitError, shape.size(), getRank(), "that of the view");
}

//===--------------------------------------------------------------------------===//
// #ttcore.host_layout
//===--------------------------------------------------------------------------===//

// Parses `logical_shape = 33x128`.
static ParseResult parseNamed(AsmParser &parser, StringRef name, SmallVector<int64_t> &numbers) {
  return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                 parseNumbers(parser, numbers) || parser.parseComma());
}

// Parses `, <"mesh">`, if it is there.
static ParseResult parseMeshName(AsmParser &parser, StringAttr &mesh) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseLess() || parser.parseAttribute(mesh) || parser.parseGreater());
}

Attribute HostLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  int64_t volume;
  StringAttr mesh;
  if (parser.parseLess() || parseNamed(parser, "logical_shape", shape) ||
      parseNamed(parser, "host_strides", strides) || parser.parseKeyword("host_volume") ||
      parser.parseEqual() || parser.parseInteger(volume) || parseMeshName(parser, mesh) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<HostLayoutAttr>(loc, parser.getContext(), ArrayRef<int64_t>(shape),
                                           ArrayRef<int64_t>(strides), volume, mesh);
}

void HostLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<logical_shape = ";
  printer.printDimensionList(getLogicalShape());
  printer << ", host_strides = ";
  printer.printDimensionList(getHostStrides());
  printer << ", host_volume = " << getHostVolume();
  if (getMesh())
    printer << ", <" << getMesh() << ">";
  printer << ">";
}

// Returns the number of elements up to the last one; nothing if it is above kMaxElements.
static std::optional<int64_t> spanOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  std::optional<int64_t> span = 1;
  for (auto [extent, stride] : llvm::zip(shape, strides)) {
    std::optional<int64_t> last = ttjit::layouts::volumeOf({extent - 1, stride});
    if (!last || *span > ttjit::layouts::kMaxElements - *last)
      return std::nullopt;
    *span += *last;
  }
  return span;
}

LogicalResult HostLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                                     int64_t volume, StringAttr) {
  if (shape.size() != strides.size())
    return emitError() << "host_strides must have one stride for each of the " << shape.size()
                       << " dimensions of logical_shape, found " << strides.size();
  for (auto [extent, stride] : llvm::zip(shape, strides))
    if (extent < 1 || stride < 1)
      return emitError() << "extents and strides must be at least 1, found " << extent << " and "
                         << stride;
  std::optional<int64_t> span = spanOf(shape, strides);
  if (!span)
    return emitError() << "a buffer of the host can have at most 2^56 elements";
  if (volume < *span)
    return emitError() << "host_volume is " << volume << ", but the last element is number "
                       << *span;
  return success();
}

AffineMap HostLayoutAttr::getAffineMap() const {
  AffineExpr offset = getAffineConstantExpr(0, getContext());
  for (auto [dim, stride] : llvm::enumerate(getHostStrides()))
    offset = offset + getAffineDimExpr(dim, getContext()) * stride;
  return AffineMap::get(getHostStrides().size(), 0, offset, getContext());
}

LogicalResult HostLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                           function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(emitError, shape.size(), getHostStrides().size(), "that of logical_shape");
}
