//===- PartNumbers.cpp - shards and pages by number ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/PartNumbers.h"

#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/ShardShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static ttl::LayoutAttrInterface layoutOf(RankedTensorType type) {
  auto encoding = dyn_cast_or_null<ttl::TensorEncodingAttr>(type.getEncoding());
  return encoding ? encoding.getLayout() : ttl::LayoutAttrInterface();
}

bool ttjit::isSharded(RankedTensorType type) {
  ttl::LayoutAttrInterface layout = layoutOf(type);
  return layout && !layout.getShard().empty() &&
         llvm::all_of(layout.getShard(), [](int64_t extent) { return extent > 0; });
}

namespace {

// Parts of a tensor along each dimension, and the extent of a part in the units of the layout.
struct Parts {
  SmallVector<int64_t> counts, extents;
};

} // namespace

static Parts shardsOf(RankedTensorType type) {
  ttl::LayoutAttrInterface layout = layoutOf(type);
  Parts shards;
  shards.extents.assign(layout.getShard().begin(), layout.getShard().end());
  if (layout.isTiled())
    for (auto [extent, tile] :
         llvm::zip_equal(MutableArrayRef(shards.extents).take_back(2), layout.getTile()))
      extent = std::max<int64_t>(1, extent / tile);
  SmallVector<int64_t> stored =
      ttl::foldLeadingDims(ttl::getStoredShape(type), shards.extents.size());
  for (auto [all, extent] : llvm::zip_equal(stored, shards.extents))
    shards.counts.push_back(llvm::divideCeil(all, extent));
  return shards;
}

int64_t ttjit::maxShardsPerCore(RankedTensorType type) {
  if (layoutOf(type).getMemoryLayout() != ttcore::TensorMemoryLayout::Sharded)
    return 1;
  return ShapedType::getNumElements(shardsOf(type).counts);
}

// Returns the pages of a tensor: tiles, or rows.
static Parts pagesOf(RankedTensorType type) {
  ttl::LayoutAttrInterface layout = layoutOf(type);
  Parts pages;
  pages.counts = ttl::getStoredShape(type);
  pages.extents.assign(pages.counts.size(), 1);
  if (layout && !layout.isTiled()) {
    pages.extents.back() = pages.counts.back();
    pages.counts.back() = 1;
  }
  return pages;
}

static Value constant(int64_t value, Location loc, OpBuilder &builder) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

static void createCheck(Value number, int64_t bound, StringRef name, StringRef unit, Location loc,
                        OpBuilder &builder) {
  auto check = ttl::CheckIndexOp::create(builder, loc, number, /*size=*/1, bound, /*dim=*/0, name,
                                         /*of_block=*/false);
  ttl::setIndexUnit(check, unit);
}

FailureOr<SmallVector<Value>> ttjit::indicesOfNumber(Value number, RankedTensorType type,
                                                     StringRef name, Location loc,
                                                     OpBuilder &builder) {
  bool sharded = isSharded(type);
  Parts parts = sharded ? shardsOf(type) : pagesOf(type);
  int64_t bound = ShapedType::getNumElements(parts.counts);
  std::optional<int64_t> known = getConstantIntValue(number);
  if (known && (*known < 0 || *known >= bound))
    return emitError(loc) << "'" << name << "' has no " << (sharded ? "shard" : "page")
                          << " with number " << *known << ": it has " << bound << ", 0 to "
                          << bound - 1;
  createCheck(number, bound, name, sharded ? "shards" : "pages", loc, builder);
  SmallVector<Value> indices;
  for (auto [count, extent] : llvm::reverse(llvm::zip_equal(parts.counts, parts.extents))) {
    bool outermost = indices.size() + 1 == parts.counts.size();
    Value size = constant(count, loc, builder);
    Value index = outermost ? number : arith::RemUIOp::create(builder, loc, number, size);
    if (!outermost)
      number = arith::DivUIOp::create(builder, loc, number, size);
    Value scale = constant(extent, loc, builder);
    indices.insert(indices.begin(), arith::MulIOp::create(builder, loc, index, scale));
  }
  return indices;
}
