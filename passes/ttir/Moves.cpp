//===- Moves.cpp - ops of ttir that move elements -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Moves.h"

#include "ir/modules/TTIR/MovingShapes.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

using Exprs = SmallVector<AffineExpr>;

//===--------------------------------------------------------------------------===//
// Index expressions of each op, in the dimensions that its tensors have
//===--------------------------------------------------------------------------===//

static AffineExpr resultDim(TTIROp op, unsigned position) {
  return getAffineDimExpr(position, op.getContext());
}

static Exprs resultDims(TTIROp op) {
  Exprs result;
  for (int64_t i = 0; i < op.resultType().getRank(); ++i)
    result.push_back(resultDim(op, i));
  return result;
}

static AffineExpr indexConstant(TTIROp op, int64_t value) {
  return getAffineConstantExpr(value, op.getContext());
}

static Exprs reshapeSource(TTIROp op) {
  AffineExpr number = indexConstant(op, 0);
  for (auto [i, extent] : llvm::enumerate(op.resultType().getShape()))
    number = number * extent + resultDim(op, i);
  Exprs result;
  int64_t stride = op.inputType(0).getNumElements();
  for (int64_t extent : op.inputType(0).getShape()) {
    stride /= extent;
    result.push_back(number.floorDiv(stride) % extent);
  }
  return result;
}

static Exprs permuteSource(TTIROp op) {
  Exprs result(op.inputType(0).getRank());
  for (auto [i, from] : llvm::enumerate(op.getIntegers("permutation")))
    result[from] = resultDim(op, i);
  return result;
}

static Exprs sliceSource(TTIROp op) {
  Exprs result;
  SmallVector<int64_t> begins = op.getIntegers("begins"), ends = op.getIntegers("ends"),
                       steps = op.getIntegers("step");
  for (auto [i, extent] : llvm::enumerate(op.inputType(0).getShape())) {
    SliceRange range = *sliceRange(extent, begins[i], ends[i], steps[i]);
    result.push_back(resultDim(op, i) * range.step + range.begin);
  }
  return result;
}

static Exprs reverseSource(TTIROp op) {
  Exprs result = resultDims(op);
  for (int64_t each : op.getIntegers("dimensions")) {
    int64_t i = fromFront(each, result.size());
    result[i] = indexConstant(op, op.resultType().getDimSize(i) - 1) - result[i];
  }
  return result;
}

static Exprs repeatSource(TTIROp op) {
  Exprs result = resultDims(op);
  for (auto [expr, extent] : llvm::zip(result, op.inputType(0).getShape()))
    expr = expr % extent;
  return result;
}

static Exprs repeatInterleaveSource(TTIROp op) {
  Exprs result = resultDims(op);
  AffineExpr &expr = result[fromFront(op.getInteger("dim"), result.size())];
  expr = expr.floorDiv(op.getInteger("repeats"));
  return result;
}

static Exprs indexSelectSource(TTIROp op) {
  Exprs result = resultDims(op);
  AffineExpr &expr = result[fromFront(op.getInteger("dim"), result.size())];
  int64_t length = op.getInteger("length");
  expr = expr.floorDiv(length) * op.getInteger("stride") + expr % length + op.getInteger("begin");
  return result;
}

namespace {
struct MoveRow {
  StringRef name;
  Exprs (*source)(TTIROp); // null: the op has several parts, or numbers
};
} // namespace

static constexpr MoveRow kMoves[] = {
    {"concat", nullptr},
    {"index_select", indexSelectSource},
    {"pad", nullptr},
    {"permute", permuteSource},
    {"repeat", repeatSource},
    {"repeat_interleave", repeatInterleaveSource},
    {"reshape", reshapeSource},
    {"reverse", reverseSource},
    {"slice_static", sliceSource},
};

static const MoveRow *rowOf(TTIROp op) {
  const MoveRow *found =
      llvm::find_if(kMoves, [&](const MoveRow &row) { return row.name == op.name(); });
  return found == std::end(kMoves) ? nullptr : found;
}

//===--------------------------------------------------------------------------===//
// Moves
//===--------------------------------------------------------------------------===//

bool TensorMove::isWhole() const {
  return parts.size() == 1 && llvm::all_of(llvm::zip(parts[0].within, shape), [](auto pair) {
           auto [range, extent] = pair;
           return range.least == 0 && range.most == extent - 1;
         });
}

SmallVector<Value> TensorMove::operands() const {
  SmallVector<Value> result;
  for (const MovedPart &part : parts)
    if (!llvm::is_contained(result, part.operand))
      result.push_back(part.operand);
  return result;
}

SmallVector<RankedTensorType> TensorMove::tensors(RankedTensorType result) const {
  SmallVector<RankedTensorType> types;
  for (Value operand : operands())
    types.push_back(deviceType(tensorTypeOf(operand)));
  types.push_back(deviceType(result));
  return types;
}

unsigned TensorMove::tensorOf(unsigned part) const {
  SmallVector<Value> all = operands();
  return llvm::find(all, parts[part].operand) - all.begin();
}

bool ttjit::isMove(TTIROp op) {
  return rowOf(op) && deviceType(op.resultType()) && op.inputType(0).getNumElements() > 0;
}

static SmallVector<IndexInterval> allOf(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t extent) { return IndexInterval{0, extent - 1}; });
}

// Makes a part of expressions in the dimensions that the tensors have.
static MovedPart partOf(TTIROp op, unsigned operand, ArrayRef<AffineExpr> source,
                        SmallVector<IndexInterval> within) {
  unsigned rank = op.resultType().getRank(), added = rank < 2 ? 2 - rank : 0;
  MovedPart part{op.inputs()[operand], {}, std::move(within)};
  part.within.insert(part.within.begin(), added, IndexInterval{0, 0});
  for (AffineExpr expr : source)
    part.source.push_back(expr.shiftDims(rank, added));
  while (part.source.size() < 2)
    part.source.insert(part.source.begin(), indexConstant(op, 0));
  return part;
}

static void addConcatParts(TTIROp op, TensorMove &move) {
  int64_t along = fromFront(op.getInteger("dim"), op.resultType().getRank()), begin = 0;
  for (unsigned i = 0; i < op.inputs().size(); ++i) {
    int64_t extent = op.inputType(i).getDimSize(along);
    Exprs source = resultDims(op);
    source[along] = source[along] - begin;
    SmallVector<IndexInterval> within = allOf(op.resultType().getShape());
    within[along] = {begin, begin + extent - 1};
    begin += extent;
    if (extent > 0)
      move.parts.push_back(partOf(op, i, source, std::move(within)));
  }
}

static void addPadPart(TTIROp op, TensorMove &move) {
  Exprs source = resultDims(op);
  SmallVector<int64_t> padding = op.getIntegers("padding");
  SmallVector<IndexInterval> within;
  for (auto [i, extent] : llvm::enumerate(op.inputType(0).getShape())) {
    int64_t low = padding[2 * i];
    source[i] = source[i] - low;
    within.push_back(
        {std::max<int64_t>(low, 0), std::min(low + extent, op.resultType().getDimSize(i)) - 1});
  }
  move.fill = op.getNumber("value");
  bool isEmpty = llvm::any_of(within, [](IndexInterval range) { return range.most < range.least; });
  if (!isEmpty)
    move.parts.push_back(partOf(op, 0, source, std::move(within)));
}

TensorMove ttjit::moveOf(TTIROp op) {
  TensorMove move;
  move.shape = atLeastMatrix(op.resultType().getShape());
  if (op.name() == "concat")
    addConcatParts(op, move);
  else if (op.name() == "pad")
    addPadPart(op, move);
  else
    move.parts.push_back(partOf(op, 0, rowOf(op)->source(op), allOf(op.resultType().getShape())));
  for (MovedPart &part : move.parts)
    for (AffineExpr &expr : part.source)
      expr = simplifyInRanges(expr, part.within);
  return move;
}

void ttjit::lookThrough(MovedPart &part, const TensorMove &producer) {
  const MovedPart &from = producer.parts[0];
  Exprs source;
  for (AffineExpr expr : from.source)
    source.push_back(simplifyInRanges(expr.replaceDims(part.source), part.within));
  part.operand = from.operand;
  part.source = std::move(source);
}

//===--------------------------------------------------------------------------===//
// Tiles
//===--------------------------------------------------------------------------===//

static bool hasDim(AffineExpr expr, unsigned position) { return expr.isFunctionOfDim(position); }

// Returns the range of indices of a part in its tile; all of it if the part is in several tiles.
static IndexInterval rangeInTile(IndexInterval range) {
  if (range.least / kTile != range.most / kTile)
    return {0, kTile - 1};
  return {range.least % kTile, range.most % kTile};
}

TiledSource::TiledSource(const MovedPart &part) : ranges(part.within) {
  unsigned rank = part.within.size();
  MLIRContext *context = part.operand.getContext();
  Exprs elements;
  for (unsigned i = 0; i < rank; ++i)
    elements.push_back(getAffineDimExpr(i, context));
  for (unsigned i = rank - 2; i < rank; ++i) {
    elements[i] = elements[i] * kTile + getAffineDimExpr(i + 2, context);
    ranges[i] = {part.within[i].least / kTile, part.within[i].most / kTile};
    ranges.push_back(rangeInTile(part.within[i]));
  }
  for (AffineExpr expr : part.source)
    tiles.push_back(simplified(expr.replaceDims(elements)));
  AffineExpr &rows = tiles.end()[-2], &columns = tiles.end()[-1];
  row = simplified(rows % kTile);
  column = simplified(columns % kTile);
  rows = simplified(rows.floorDiv(kTile));
  columns = simplified(columns.floorDiv(kTile));
}

AffineExpr TiledSource::simplified(AffineExpr expr) const { return simplifyInRanges(expr, ranges); }

// Returns whether the bounds of a part in the last two dimensions are those of tiles.
static bool beginsAndEndsWithTiles(const MovedPart &part, ArrayRef<int64_t> shape) {
  for (size_t i = shape.size() - 2; i < shape.size(); ++i) {
    IndexInterval range = part.within[i];
    bool ends = (range.most + 1) % kTile == 0 || range.most + 1 == shape[i];
    if (range.least % kTile || !ends)
      return false;
  }
  return true;
}

static std::optional<MovedTiles> movedTilesOf(const MovedPart &part) {
  unsigned row = part.within.size(), column = row + 1;
  MLIRContext *context = part.operand.getContext();
  TiledSource source(part);
  AffineExpr r = source.simplified(getAffineDimExpr(row, context)),
             c = source.simplified(getAffineDimExpr(column, context));
  bool isStraight = source.row == r && source.column == c,
       isTransposed = !isStraight && source.row == c && source.column == r;
  for (AffineExpr expr : source.tiles)
    if (hasDim(expr, row) || hasDim(expr, column))
      return std::nullopt;
  if (!isStraight && !isTransposed)
    return std::nullopt;
  return MovedTiles{std::move(source.tiles), isTransposed};
}

std::optional<SmallVector<MovedTiles>> ttjit::movedTiles(const TensorMove &move) {
  SmallVector<MovedTiles> result;
  int64_t covered = 0;
  for (const MovedPart &part : move.parts) {
    int64_t size = 1;
    for (IndexInterval range : part.within)
      size *= range.most - range.least + 1;
    covered += size;
    std::optional<MovedTiles> tiles =
        beginsAndEndsWithTiles(part, move.shape) ? movedTilesOf(part) : std::nullopt;
    if (!tiles || (!result.empty() && tiles->isTransposed != result[0].isTransposed))
      return std::nullopt;
    result.push_back(*tiles);
  }
  return covered == llvm::product_of(move.shape) ? std::optional(result) : std::nullopt;
}
