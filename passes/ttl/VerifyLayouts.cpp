//===- VerifyLayouts.cpp - ttl-verify-layouts ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a transfer moves whole pages, and the tensor's layout says which elements
// form a page.
//
// 1. Look at the tensor and the block of every copy.
//
// Rejects: a tensor that is not on the device, has a layout of tt-mlir, or is sharded without its
// shards; a tensor in tiles with a block of scalars, or the reverse; tiles of another shape; shards
// that cut tiles; a part that starts at a constant outside the tensor.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Locations/Locations.h"
#include "ir/TTCore/TTCoreLayouts.h"
#include "passes/common/Copies.h"
#include "passes/common/IndexRange.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYLAYOUTS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class CopyVerifier {
public:
  CopyVerifier(ttl::CopyOp copy, IndexRanges &ranges)
      : copy(copy), ranges(ranges),
        block(cast<ttl::BlockType>((copy.isRead() ? copy.getDst() : copy.getSrc()).getType())) {}

  LogicalResult verify();

private:
  LogicalResult verifyPlace(ttl::TensorEncodingAttr encoding);
  LogicalResult verifyUnits(ttl::LayoutAttrInterface layout);
  LogicalResult verifyShards(ttl::LayoutAttrInterface layout);
  LogicalResult verifyStart();

  ttl::CopyOp copy;
  IndexRanges &ranges;
  ttl::BlockType block;
  ttl::IndexAccessorOp slice;
  RankedTensorType tensor;
  std::string name;
};

LogicalResult CopyVerifier::verifyPlace(ttl::TensorEncodingAttr encoding) {
  if (!encoding || encoding.getMemorySpace() == ttcore::MemorySpace::System ||
      encoding.getMemorySpace() == ttcore::MemorySpace::SystemMMIO)
    return copy.emitError() << "'" << name << "' is not on the device: place it there (device= of "
                            << "ttnn.from_torch, or ttnn.to_device)";
  return verifyShards(encoding.getLayout());
}

std::string extentsText(ArrayRef<int64_t> extents) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

LogicalResult CopyVerifier::verifyShards(ttl::LayoutAttrInterface layout) {
  auto memory = layout.getMemoryLayout();
  ArrayRef<int64_t> shard = layout.getShard();
  if (memory == ttcore::TensorMemoryLayout::Interleaved)
    return success();
  if (shard.empty() || llvm::any_of(shard, [](int64_t extent) { return extent < 1; }))
    return copy.emitError() << "'" << name << "' is " << ttcore::stringifyTensorMemoryLayout(memory)
                            << " and its layout does not say how large a shard is: write shard = "
                               "ROWSxCOLUMNS";
  if (int64_t(shard.size()) > std::max<int64_t>(tensor.getRank(), 2))
    return copy.emitError() << "shards of '" << name << "' have " << shard.size()
                            << " dimensions, but the tensor has " << tensor.getRank();
  ArrayRef<int64_t> last = shard.take_back(2);
  if (layout.isTiled() && (last[0] % layout.getTile()[0] || last[1] % layout.getTile()[1]))
    return copy.emitError() << "shards of '" << name << "' have " << extentsText(shard)
                            << " elements, which is no whole number of tiles";
  return success();
}

LogicalResult CopyVerifier::verifyUnits(ttl::LayoutAttrInterface layout) {
  ttl::CircularBufferType buffer = block.getCircularBuffer();
  if (layout.isTiled() != buffer.isTiled())
    return copy.emitError() << "'" << name << "' is in "
                            << (layout.isTiled() ? "tile" : "row-major")
                            << " layout, but the block "
                            << (buffer.isTiled() ? "holds tiles" : "holds scalars")
                            << ": make the buffer like a tensor that has the layout of this one";
  if (!layout.isTiled())
    return success();
  auto tile = cast<ttcore::TileType>(buffer.getElementType());
  ArrayRef<int64_t> shape = layout.getTile();
  if (shape[0] != tile.getHeight() || shape[1] != tile.getWidth())
    return copy.emitError() << "tiles of '" << name << "' are " << shape[0] << "x" << shape[1]
                            << ", but those of the block are " << tile.getHeight() << "x"
                            << tile.getWidth();
  return success();
}

LogicalResult CopyVerifier::verifyStart() {
  SmallVector<int64_t> bounds = ttl::getStoredShape(slice.getResult().getType());
  for (auto [dim, start] : llvm::enumerate(slice.getIndices())) {
    IndexRange range = ranges.of(start);
    int64_t size = slice.getResult().getType().getSizes()[dim], last = bounds[dim] - size;
    if (range.max >= 0 && range.min <= last)
      continue;
    if (last < 0)
      return slice.emitError() << "cannot take a part of extent " << size << " of '" << name
                               << "' in dimension " << dim << ", which has extent " << bounds[dim];
    return slice.emitError() << "index " << range.min << " of '" << name << "' in dimension " << dim
                             << " is out of range: the dimension has extent " << bounds[dim]
                             << ", so a part of " << size << " must start at an index from 0 to "
                             << last;
  }
  return success();
}

LogicalResult CopyVerifier::verify() {
  slice = (copy.isRead() ? copy.getSrc() : copy.getDst()).getDefiningOp<ttl::IndexAccessorOp>();
  auto accessor = slice ? slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>() : nullptr;
  if (!accessor)
    return copy.emitError(
        "cannot move a part of an unknown tensor: slices and accessors cannot be passed "
        "through loops or branches");
  tensor = slice.getResult().getType().getTensor();
  name = getSourceName(accessor.getTensor().getLoc()).value_or("tensor");
  if (isa_and_nonnull<ttcore::MetalLayoutAttr>(tensor.getEncoding()))
    return copy.emitError() << "'" << name << "' has a #ttcore.metal_layout, which kernels of ttl "
                            << "do not read: write #ttl.tensor_encoding<l1, "
                               "#ttl.layout<interleaved, tile = 32x32>>";
  auto encoding = dyn_cast_or_null<ttl::TensorEncodingAttr>(tensor.getEncoding());
  if (failed(verifyPlace(encoding)) || failed(verifyUnits(encoding.getLayout())))
    return failure();
  return verifyStart();
}

struct VerifyLayouts : ttjit::impl::TTLVerifyLayoutsBase<VerifyLayouts> {
  void runOnOperation() override {
    bool ok = true;
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      IndexRanges ranges(kernel, kernel.getGrid().getShape());
      kernel.walk([&](ttl::CopyOp copy) {
        if (!pipeOf(copy))
          ok &= succeeded(CopyVerifier(copy, ranges).verify());
      });
    }
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
