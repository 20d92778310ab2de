//===- D2MGeneric.cpp - text and rules of d2m.generic and d2m.spatial ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/D2M/D2M.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::d2m;

//===--------------------------------------------------------------------------===//
// Grids of operands
//===--------------------------------------------------------------------------===//

static bool isOnDevice(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return isa_and_nonnull<ttcore::MetalLayoutAttr>(tensor.getEncoding());
  auto memref = dyn_cast<MemRefType>(type);
  return memref &&
         isa<ttcore::ShardLayoutAttr, ttcore::InterleavedLayoutAttr, ttcore::ViewLayoutAttr>(
             memref.getLayout());
}

ArrayRef<int64_t> d2m::getGrid(Type type) {
  if (!isOnDevice(type))
    return {};
  ArrayRef<int64_t> shape = cast<ShapedType>(type).getShape();
  return shape.take_front(shape.size() / 2);
}

ArrayRef<int64_t> d2m::getShard(Type type) {
  ArrayRef<int64_t> shape = cast<ShapedType>(type).getShape();
  return shape.drop_front(getGrid(type).size());
}

ArrayRef<int64_t> GenericOp::getGridShape() {
  if (auto grid = dyn_cast<ttcore::GridAttr>(getGrid()))
    return grid.getShape();
  if (auto grid = dyn_cast<ttcore::VirtualGridAttr>(getGrid()))
    return grid.getShape();
  return {};
}

bool GenericOp::isReduction(unsigned dim) {
  return cast<ttcore::IteratorTypeAttr>(getIteratorTypes()[dim]).getValue() ==
         ttcore::IteratorType::Reduction;
}

SmallVector<int64_t> GenericOp::getBlockFactorValues() {
  SmallVector<int64_t> values;
  for (Attribute factor : getBlockFactors())
    values.push_back(cast<IntegerAttr>(factor).getInt());
  return values;
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

namespace {
struct OperandList {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
};
} // namespace

// Parses `(%a, %b : A, B)` or `()`.
static ParseResult parseOperands(OpAsmParser &parser, OperandList &list, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(list.operands))
    return failure();
  if (!list.operands.empty() && parser.parseColonTypeList(list.types))
    return failure();
  return failure(parser.parseRParen() ||
                 parser.resolveOperands(list.operands, list.types, loc, result.operands));
}

// Parses `{..}, {..}`, or nothing.
static ParseResult parseRegions(OpAsmParser &parser, OperationState &result) {
  do {
    auto region = std::make_unique<Region>();
    OptionalParseResult parsed = parser.parseOptionalRegion(*region);
    if (!parsed.has_value())
      return result.regions.empty() ? success() : failure();
    if (failed(*parsed))
      return failure();
    result.addRegion(std::move(region));
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

ParseResult GenericOp::parse(OpAsmParser &parser, OperationState &result) {
  OperandList inputs, outputs, additional;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseKeyword("ins") ||
      parseOperands(parser, inputs, result) || parser.parseKeyword("outs") ||
      parseOperands(parser, outputs, result))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("additionalArgs")) &&
      parseOperands(parser, additional, result))
    return failure();
  if (parseRegions(parser, result) || parser.parseOptionalColonTypeList(result.types))
    return failure();
  int32_t sizes[] = {int32_t(inputs.operands.size()), int32_t(outputs.operands.size()),
                     int32_t(additional.operands.size())};
  result.addAttribute(getOperandSegmentSizeAttr(), parser.getBuilder().getDenseI32ArrayAttr(sizes));
  return success();
}

static void printOperands(OpAsmPrinter &printer, StringRef keyword, OperandRange operands) {
  printer.printNewline();
  printer << "    " << keyword << "(";
  printer.printOperands(operands);
  if (!operands.empty())
    printer << " : " << operands.getTypes();
  printer << ")";
}

void GenericOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {getOperandSegmentSizeAttr()});
  printOperands(printer, "ins", getInputs());
  printOperands(printer, "outs", getOutputs());
  if (!getAdditionalArgs().empty())
    printOperands(printer, "additionalArgs", getAdditionalArgs());
  printer << " ";
  llvm::interleaveComma(getRegions(), printer, [&](Region &region) {
    printer.printRegion(region, /*printEntryBlockArgs=*/true, /*printBlockTerminators=*/true,
                        /*printEmptyBlock=*/true);
  });
  if (getNumResults())
    printer << " : " << getResultTypes();
}

//===--------------------------------------------------------------------------===//
// Rules of d2m.generic
//===--------------------------------------------------------------------------===//

static LogicalResult verifyThreads(GenericOp op) {
  unsigned threads = op.getThreads().size(), regions = op->getNumRegions();
  if (op.getOutputs().empty())
    return op.emitOpError("must have an output");
  if (threads == 0)
    return op.emitOpError("must have a thread");
  if (regions && regions != threads)
    return op.emitOpError("must have one region for each of its ")
           << threads << " threads, found " << regions;
  for (unsigned i = 0; i < threads; ++i)
    if (!regions && !op.getThread(i).getKernelSymbol())
      return op.emitOpError("has no region for thread ") << i
                                                         << ", so the thread must name a "
                                                            "function: #d2m.thread<compute, @name>";
  for (Region &region : op.getRegions())
    if (!region.hasOneBlock())
      return op.emitOpError("must have regions of one block");
  return success();
}

static LogicalResult verifyGrid(GenericOp op) {
  ArrayRef<int64_t> grid = op.getGridShape();
  if (grid.empty())
    return op.emitOpError("must have a #ttcore.grid<YxX> as its grid, found ") << op.getGrid();
  ArrayRef<int64_t> output = d2m::getGrid(op.getOutputs().front().getType());
  if (output.empty())
    return success();
  if (output.size() != grid.size())
    return op.emitOpError("must have a grid of the rank of its output's, ")
           << output.size() << ", found " << grid.size();
  for (auto [dim, extents] : llvm::enumerate(llvm::zip(output, grid)))
    if (std::get<0>(extents) % std::get<1>(extents))
      return op.emitOpError("must have an output whose grid is a multiple of its own: dimension ")
             << dim << " has " << std::get<0>(extents) << " blocks for " << std::get<1>(extents)
             << " cores";
  return success();
}

static bool isProjection(AffineMap map) {
  SmallVector<bool> seen(map.getNumDims());
  return map.getNumSymbols() == 0 && llvm::all_of(map.getResults(), [&](AffineExpr result) {
           if (auto constant = dyn_cast<AffineConstantExpr>(result))
             return constant.getValue() == 0;
           auto dim = dyn_cast<AffineDimExpr>(result);
           return dim && !std::exchange(seen[dim.getPosition()], true);
         });
}

static LogicalResult verifyMaps(GenericOp op) {
  unsigned dims = op.getIteratorTypes().size();
  unsigned operands = op.getInputs().size() + op.getOutputs().size();
  if (op.getIndexingMaps().size() != operands)
    return op.emitOpError("must have one indexing map for each of its ")
           << operands << " operands, found " << op.getIndexingMaps().size();
  if (!op.getBlockFactors().empty() && op.getBlockFactors().size() != dims)
    return op.emitOpError("must have one block factor for each of its ")
           << dims << " iterators, found " << op.getBlockFactors().size();
  for (int64_t factor : op.getBlockFactorValues())
    if (factor < 1)
      return op.emitOpError("must have block factors of at least 1, found ") << factor;
  for (unsigned i = 0; i < operands; ++i) {
    AffineMap map = op.getIndexingMap(i);
    if (map.getNumDims() != dims)
      return op.emitOpError("must have indexing maps of ")
             << dims << " dimensions, one for each iterator, found " << AffineMapAttr::get(map);
    if (!isProjection(map))
      return op.emitOpError("must have indexing maps whose results are different dimensions or 0, "
                            "found ")
             << AffineMapAttr::get(map);
    if (i <= op.getInputs().size())
      continue;
    if (AffineMap first = op.getIndexingMap(op.getInputs().size()); map != first)
      return op.emitOpError("must have the same indexing map for all outputs, found ")
             << AffineMapAttr::get(first) << " and " << AffineMapAttr::get(map);
  }
  return success();
}

// Checks that each dimension has the same number of blocks in all operands: its factor times the
// cores that share it.
static LogicalResult verifyBlocks(GenericOp op) {
  AffineMap outputMap = op.getIndexingMap(op.getInputs().size());
  ArrayRef<int64_t> grid = op.getGridShape();
  SmallVector<int64_t> blocks = op.getBlockFactorValues();
  if (blocks.empty())
    return success();
  for (auto [position, result] : llvm::enumerate(outputMap.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(result); dim && position < grid.size())
      if (llvm::MulOverflow(blocks[dim.getPosition()], grid[position], blocks[dim.getPosition()]))
        return op.emitOpError("has more blocks than a number of 64 bits can count");
  for (auto [i, operand] :
       llvm::enumerate(op->getOperands().take_front(op.getIndexingMaps().size()))) {
    ArrayRef<int64_t> operandGrid = d2m::getGrid(operand.getType());
    AffineMap map = op.getIndexingMap(i);
    if (operandGrid.empty())
      continue;
    if (operandGrid.size() != map.getNumResults())
      return op.emitOpError("must have an indexing map with one result for each of the ")
             << operandGrid.size() << " grid dimensions of operand " << i << ", found "
             << AffineMapAttr::get(map);
    for (auto [extent, result] : llvm::zip(operandGrid, map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result); dim && extent != blocks[dim.getPosition()])
        return op.emitOpError("must have as many blocks in operand ")
               << i << " as dimension " << dim.getPosition() << " has steps and cores: expected "
               << blocks[dim.getPosition()] << ", found " << extent;
  }
  return success();
}

LogicalResult GenericOp::verify() {
  if (failed(verifyThreads(*this)) || failed(verifyGrid(*this)))
    return failure();
  if (getIndexingMaps().empty()) {
    bool hasFactors =
        !getBlockFactors().empty() && !getRegions().empty(); // functions have the loops
    if (!getIteratorTypes().empty() || hasFactors)
      return emitOpError("must have indexing_maps if it has iterator_types or block_factors");
    return success();
  }
  return failure(failed(verifyMaps(*this)) || failed(verifyBlocks(*this)));
}

//===--------------------------------------------------------------------------===//
// Rules of d2m.spatial
//===--------------------------------------------------------------------------===//

// Checks that a range is (row, column) to (row, column) and overlaps no earlier one.
static LogicalResult verifyRanges(SpatialOp op) {
  SmallVector<ttcore::CoreRangeAttr> ranges;
  for (auto range : op.getGridRanges().getAsRange<ttcore::CoreRangeAttr>()) {
    if (range.getStart().size() != 2)
      return op.emitOpError("must have ranges of rows and columns, found ") << range;
    for (ttcore::CoreRangeAttr other : ranges) {
      auto apart = [&](unsigned d) {
        return range.getEnd()[d] < other.getStart()[d] || other.getEnd()[d] < range.getStart()[d];
      };
      if (!apart(0) && !apart(1))
        return op.emitOpError("must have ranges that do not overlap, found ")
               << other << " and " << range;
    }
    ranges.push_back(range);
  }
  return success();
}

// Checks that the results are what the regions yield, in the order of the regions.
static LogicalResult verifyYields(SpatialOp op) {
  SmallVector<Type> yielded;
  for (Region &region : op.getRegions())
    for (auto yield : region.front().getOps<SpatialYieldOp>())
      llvm::append_range(yielded, yield.getOperandTypes());
  if (TypeRange(yielded) == op.getResultTypes())
    return success();
  return op.emitOpError("must have results of the types that its regions yield, found ")
         << op.getNumResults() << " results and " << yielded.size() << " yielded values";
}

LogicalResult SpatialOp::verify() {
  if (getGridRanges().size() != getRegions().size())
    return emitOpError("must have one region for each of its ")
           << getGridRanges().size() << " grid ranges, found " << getRegions().size();
  for (Region &region : getRegions()) {
    auto isGeneric = [](Operation &op) { return isa<GenericOp>(op); };
    if (!region.hasOneBlock() || llvm::count_if(region.front(), isGeneric) != 1)
      return emitOpError("must have exactly one d2m.generic in each region");
  }
  return success(succeeded(verifyRanges(*this)) && succeeded(verifyYields(*this)));
}
