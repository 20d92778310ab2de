//===- TTLResourceOps.cpp - verifiers of resource ops -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/facts/Arch.h"
#include "ir/TTL/BufferPages.h"

#include "hw/facts/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// ttl.create_cb
//===--------------------------------------------------------------------------===//

static LogicalResult verifyCoreRanges(CreateCBOp op, ttcore::CoreRangeSetAttr cores) {
  ttcore::GridAttr grid = getGridAround(op);
  if (!grid)
    return success();
  if (cores.getRank() != grid.getShape().size())
    return op.emitOpError("core_ranges have rank ")
           << cores.getRank() << ", but the grid is " << shapeText(grid.getShape());
  for (ttcore::CoreRangeAttr range : cores.getRanges())
    for (auto [high, extent] : llvm::zip(range.getEnd(), grid.getShape()))
      if (high >= extent)
        return op.emitOpError("core_ranges end at ")
               << shapeText(range.getEnd()) << ", outside the grid " << shapeText(grid.getShape());
  return success();
}

// Checks page_size: page k begins k * page_size bytes behind the first one, as on the card. There,
// tile operations and the counters of a buffer move in steps of page_size.
static LogicalResult verifyPageSize(CreateCBOp op) {
  if (!hasPadding(op))
    return success();
  int64_t size = pageSizeOf(op), page = op.getType().getPageBytes();
  StringRef unit = op.getType().isTiled() ? "tile" : "row";
  constexpr int64_t kAlignment = ttjit::hw::defaultArch().l1Alignment;
  auto fail = [&] { return op.emitOpError("page_size is ") << size << ", but "; };
  if (op.isTensorBacked())
    return fail() << "a tensor backs the buffer, and the pages of its shard, which have " << page
                  << " bytes, follow each other without gaps: leave page_size out";
  if (size < page)
    return fail() << "a " << unit << " of " << op.getType() << " has " << page
                  << " bytes, and the next one begins page_size bytes behind its start, so they "
                  << "would overlap: leave page_size out";
  if (size > INT32_MAX)
    return fail() << "no chip has so much L1: leave page_size out";
  if (size % kAlignment)
    return fail() << "every " << unit << " of a buffer with padding begins at a multiple of "
                  << kAlignment << " bytes: write " << llvm::alignTo(size, kAlignment)
                  << ", or leave page_size out";
  return success();
}

LogicalResult CreateCBOp::verify() {
  if (getBufferIndex() && static_cast<int32_t>(*getBufferIndex()) < 0)
    return emitOpError("buffer_index must not be negative, found ")
           << static_cast<int32_t>(*getBufferIndex());
  if (failed(verifyPageSize(*this)))
    return failure();
  if (getByteOffset() && !isTensorBacked())
    return emitOpError("has a byte_offset, but no tensor");
  if (isTensorBacked() && getAddress())
    return emitOpError("is backed by a tensor, so it must have no address");
  if (isTensorBacked() && !isa<BlockArgument>(getTensor()))
    return emitOpError("expected an argument of the kernel as tensor");
  if (getAddress() && static_cast<int64_t>(*getAddress()) < 0)
    return emitOpError("address must not be negative, found ")
           << static_cast<int64_t>(*getAddress());
  return getCoreRanges() ? verifyCoreRanges(*this, *getCoreRanges()) : success();
}

//===--------------------------------------------------------------------------===//
// ttl.grid_slice
//===--------------------------------------------------------------------------===//

LogicalResult GridSliceOp::verify() {
  SmallVector<int64_t> shape = getStoredShape(getAccessor().getType().getTensor());
  if (getBlockFactors().size() != shape.size())
    return emitOpError("has ") << getBlockFactors().size()
                               << " block factors, but the tensor has rank " << shape.size();
  for (int64_t factor : getBlockFactors())
    if (factor < 1)
      return emitOpError("block factors must be at least 1, found ") << factor;
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.tensor_accessor, ttl.index_accessor
//===--------------------------------------------------------------------------===//

LogicalResult TensorAccessorOp::verify() {
  if (getResult().getType().getTensor() != getTensor().getType())
    return emitOpError("the result is an accessor of ")
           << getResult().getType().getTensor() << ", but the operand is " << getTensor().getType();
  return success();
}

LogicalResult IndexAccessorOp::verify() {
  RankedTensorType tensor = getAccessor().getType().getTensor();
  size_t rank = getStoredShape(getResult().getType()).size();
  if (getIndices().size() != rank || getResult().getType().getSizes().size() != rank)
    return emitOpError("has indices for ")
           << ttjit::hw::plural(getIndices().size(), "dimension") << " and "
           << ttjit::hw::plural(getResult().getType().getSizes().size(), "extent")
           << ", but the tensor has rank " << rank;
  if (getResult().getType().getTensor() != tensor)
    return emitOpError("the result is a part of ")
           << getResult().getType().getTensor() << ", but the accessor is one of " << tensor;
  return success();
}

//===--------------------------------------------------------------------------===//
// Node queries
//===--------------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyNodeQuery(OpT op) {
  if (op.getDims() < 1)
    return op.emitOpError("dims must be at least 1, found ") << op.getDims();
  if (static_cast<int64_t>(op.getNumResults()) != static_cast<int64_t>(op.getDims()))
    return op.emitOpError("has ") << ttjit::hw::plural(op.getNumResults(), "result")
                                  << ", but dims = " << op.getDims();
  return success();
}
LogicalResult CoreOp::verify() { return verifyNodeQuery(*this); }
LogicalResult GridSizeOp::verify() { return verifyNodeQuery(*this); }
