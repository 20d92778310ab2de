//===- TTLPipeOps.cpp - pipes: types, coordinates, verifiers ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of one op. ttl-verify-protocol checks the rules about callbacks, matching
// ends and shapes of transfers, which depend on the whole kernel.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Words.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// !ttl.pipe, !ttl.landing
//===--------------------------------------------------------------------------===//

ParseResult ttl::parseCoords(AsmParser &parser, SmallVectorImpl<int64_t> &coords) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(coords.emplace_back()); });
}

// Parses `<0, 1, 1>`, `<start = 0, ...>` or a bare integer.
static ParseResult parseSlice(AsmParser &parser, SmallVectorImpl<SliceAttr> &range) {
  int64_t only = 0;
  OptionalParseResult integer = parser.parseOptionalInteger(only);
  if (integer.has_value()) {
    range.push_back(SliceAttr::get(parser.getContext(), only, only + 1, 1));
    return *integer;
  }
  auto slice = dyn_cast_or_null<SliceAttr>(SliceAttr::parse(parser, {}));
  if (!slice)
    return failure();
  range.push_back(slice);
  return success();
}

Type PipeType::parse(AsmParser &parser) {
  SmallVector<int64_t> src, dst;
  SmallVector<SliceAttr> range;
  if (failed(parser.parseOptionalLess()))
    return PipeType::get(parser.getContext(), {}, {}, {});
  if (parseCoords(parser, src) || parser.parseComma())
    return {};
  if (succeeded(parser.parseOptionalKeyword("range"))) {
    if (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parseSlice(parser, range);
        }))
      return {};
  } else if (parser.parseKeyword("dst", " or 'range'") || parser.parseEqual() ||
             parseCoords(parser, dst)) {
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PipeType>(parser.getContext(), ArrayRef<int64_t>(src),
                                     ArrayRef<int64_t>(dst), ArrayRef<SliceAttr>(range));
}

void PipeType::print(AsmPrinter &printer) const {
  if (getSrcCore().empty())
    return;
  printer << "<[";
  llvm::interleaveComma(getSrcCore(), printer);
  printer << "], " << (getDstCore().empty() ? "range" : "dst") << " = [";
  llvm::interleaveComma(getDstCore(), printer);
  llvm::interleaveComma(getDstCoreRange(), printer, [&](SliceAttr slice) { slice.print(printer); });
  printer << "]>";
}

LogicalResult PipeType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> src,
                               ArrayRef<int64_t> dst, ArrayRef<SliceAttr> range) {
  if (src.empty() && dst.empty() && range.empty())
    return success();
  if (dst.empty() == range.empty())
    return emitError() << "a pipe must end either at one node or at a range of nodes";
  size_t rank = dst.empty() ? range.size() : dst.size();
  if (rank != src.size())
    return emitError() << "both ends of a pipe must have the same rank, found " << src.size()
                       << " and " << rank;
  return success();
}

LogicalResult LandingType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType, int64_t slots) {
  if (slots < 1)
    return emitError() << "a net must have at least one landing slot, found " << slots;
  return CircularBufferType::verify(emitError, shape, elementType, 1);
}

int64_t LandingType::getSlotBytes() const {
  auto block = CircularBufferType::get(getContext(), getShape(), getElementType(), 1);
  return llvm::alignTo(block.getTotalBytes(), 64);
}

//===--------------------------------------------------------------------------===//
// Coordinates
//===--------------------------------------------------------------------------===//

int64_t ttl::linearizeNode(ttcore::GridAttr grid, ArrayRef<int64_t> coords) {
  if (coords.size() != grid.getShape().size())
    return coords.front();
  int64_t node = 0;
  for (auto [extent, coord] : llvm::zip(grid.getShape(), coords))
    node = node * extent + coord;
  return node;
}

// Returns the coordinates that a slice selects, in its order.
static SmallVector<int64_t> coordsOf(SliceAttr slice) {
  SmallVector<int64_t> coords;
  int64_t stop = slice.getStop(), step = slice.getStep();
  for (int64_t i = slice.getStart(); step > 0 ? i < stop : i > stop; i += step)
    coords.push_back(i);
  return coords;
}

SmallVector<int64_t> ttl::nodesOfRange(ttcore::GridAttr grid, ArrayRef<SliceAttr> range) {
  SmallVector<SmallVector<int64_t>> points = {{}};
  for (SliceAttr slice : range) {
    SmallVector<SmallVector<int64_t>> longer;
    for (const SmallVector<int64_t> &point : points)
      for (int64_t coord : coordsOf(slice)) {
        longer.push_back(point);
        longer.back().push_back(coord);
      }
    points = std::move(longer);
  }
  return llvm::map_to_vector(
      points, [&](const SmallVector<int64_t> &point) { return linearizeNode(grid, point); });
}

LogicalResult ttl::verifyNodeRank(Operation *op, StringRef what, size_t rank) {
  ttcore::GridAttr grid = getGridAround(op);
  if (!grid || rank == 1 || rank == grid.getShape().size())
    return success();
  return op->emitOpError() << what << " has " << ttjit::hw::plural(rank, "dimension")
                           << "; expected " << grid.getShape().size()
                           << ", as in the grid, or 1 for a flattened node number";
}

// Checks the coordinate in dimension `dim` of coordinates whose rank is right for this
// grid.
static LogicalResult verifyCoordinate(Operation *op, StringRef what, size_t rank, size_t dim,
                                      int64_t coord) {
  ttcore::GridAttr grid = getGridAround(op);
  if (!grid)
    return success();
  int64_t extent = rank == grid.getShape().size() ? grid.getShape()[dim] : grid.getNumCores();
  if (coord >= 0 && coord < extent)
    return success();
  return op->emitOpError() << what << " is outside the grid: coordinate " << coord
                           << " in dimension " << dim << ", which has extent " << extent;
}

LogicalResult ttl::verifyNodeCoords(Operation *op, StringRef what, ArrayRef<int64_t> coords) {
  if (failed(verifyNodeRank(op, what, coords.size())))
    return failure();
  for (auto [dim, coord] : llvm::enumerate(coords))
    if (failed(verifyCoordinate(op, what, coords.size(), dim, coord)))
      return failure();
  return success();
}

LogicalResult ttl::verifyNodeRange(Operation *op, StringRef what, ArrayAttr range) {
  for (auto [dim, slice] : llvm::enumerate(range.getAsRange<SliceAttr>()))
    if (coordsOf(slice).empty())
      return op->emitOpError() << what << " must not be empty, but is in dimension " << dim;
  if (failed(verifyNodeRank(op, what, range.size())))
    return failure();
  for (auto [dim, slice] : llvm::enumerate(range.getAsRange<SliceAttr>()))
    for (int64_t coord : coordsOf(slice))
      if (failed(verifyCoordinate(op, what, range.size(), dim, coord)))
        return failure();
  return success();
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

LogicalResult CreatePipeOp::verify() {
  if (getDst().has_value() == getDstRange().has_value())
    return emitOpError("must have exactly one of dst and dst_range");
  size_t dstRank = getDst() ? getDst()->size() : getDstRange()->size();
  if (dstRank != getSrc().size())
    return emitOpError("both ends must have the same rank, found ")
           << getSrc().size() << " and " << dstRank;
  if (failed(verifyNodeCoords(*this, "src", getSrc())) ||
      (getDst() && failed(verifyNodeCoords(*this, "dst", *getDst()))) ||
      (getDstRange() && failed(verifyNodeRange(*this, "dst_range", *getDstRange()))))
    return failure();
  PipeType type = getResult().getType();
  if (type.getSrcCore().empty())
    return success();
  bool sameRange =
      !getDstRange() || llvm::equal(getDstRange()->getAsRange<SliceAttr>(), type.getDstCoreRange());
  if (type.getSrcCore() != getSrc() || !sameRange || (getDst() && type.getDstCore() != *getDst()))
    return emitOpError("must have the same ends as its type ") << type;
  return success();
}

LogicalResult CreatePipeNetOp::verify() {
  std::optional<size_t> rank;
  for (Value pipe : getPipes()) {
    auto create = pipe.getDefiningOp<CreatePipeOp>();
    if (!create)
      return emitOpError("all operands must be pipes that ttl.create_pipe makes");
    if (rank && *rank != create.getSrc().size())
      return emitOpError("all pipes must have the same rank, found ")
             << *rank << " and " << create.getSrc().size();
    rank = create.getSrc().size();
  }
  return success();
}

template <typename OpT> static LogicalResult verifyIfPipe(OpT op) {
  Block &body = op.getBody().front();
  if (body.getNumArguments() != 1 || !isa<PipeType>(body.getArgument(0).getType()))
    return op.emitOpError("the body must have one argument, the pipe");
  if (endsWithYield(body) && body.getTerminator()->getNumOperands() != 0)
    return op.emitOpError("the body must not yield a value");
  return success();
}
LogicalResult IfPipeSrcOp::verify() { return verifyIfPipe(*this); }
LogicalResult IfPipeDstOp::verify() { return verifyIfPipe(*this); }

// Adds where control flow goes: the body runs once per pipe of this node, perhaps never.
static void addPipeSuccessors(Region &body, SmallVectorImpl<RegionSuccessor> &regions) {
  regions.emplace_back(&body);
  regions.emplace_back(body.getParentOp(), body.getParentOp()->getResults());
}
void IfPipeSrcOp::getSuccessorRegions(RegionBranchPoint,
                                      SmallVectorImpl<RegionSuccessor> &regions) {
  addPipeSuccessors(getBody(), regions);
}
void IfPipeDstOp::getSuccessorRegions(RegionBranchPoint,
                                      SmallVectorImpl<RegionSuccessor> &regions) {
  addPipeSuccessors(getBody(), regions);
}

LogicalResult CreateCountersOp::verify() {
  if (getResult().getType().getCount() < 1)
    return emitOpError("must have at least one word");
  if (getSemaphoreId() && getPageIndex())
    return emitOpError("can be either semaphores or words of the page, not both");
  if (getDeliveries() && 2 * int64_t(*getDeliveries()) > getResult().getType().getCount())
    return emitOpError("must have two words per delivery, found ")
           << "deliveries = " << *getDeliveries() << " and "
           << ttjit::hw::plural(getResult().getType().getCount(), "word");
  return success();
}

LogicalResult CreateNodeTableOp::verify() {
  auto type = cast<ShapedType>(getValues().getType());
  if (type.getRank() != 2)
    return emitOpError("must have one row per node, found ") << type;
  if (Attribute common = (*this)->getAttr(kCommonNumberAttr)) {
    auto number = dyn_cast<TypeAttr>(common);
    if (!number || !(number.getValue().isF32() || number.getValue().isInteger(32)))
      return emitOpError("must have the type f32 or i32 as ")
             << kCommonNumberAttr << ", found " << common;
    if (type.getShape() != ArrayRef<int64_t>{1, 1})
      return emitOpError("must have one number for all nodes, found ") << type;
    return success();
  }
  ttcore::GridAttr grid = getGridAround(*this);
  if (grid && type.getShape()[0] != grid.getNumCores())
    return emitOpError("must have one row per node, found ")
           << type.getShape()[0] << " rows for a grid of " << grid.getNumCores() << " nodes";
  return success();
}
