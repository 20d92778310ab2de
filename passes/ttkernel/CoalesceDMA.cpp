//===- CoalesceDMA.cpp - ttl-coalesce-dma -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a copy moves its block page by page, though one transfer of several pages
// takes hardly longer than one of a single page.
//
// 1. The pages of a block without padding are consecutive in L1. Page p of an interleaved tensor is
//    in bank p mod banks, directly after page p - banks if a page has no padding. So two
//    pages are adjacent in both places if they are neighbours in the block and their
//    numbers differ by the number of banks.
// 2. The pages of a shard follow each other row by row. So those in one of its rows are adjacent,
//    and so are whole rows. The start of the slice must prove that it stays within a shard.
// 3. From the innermost dimension of the slice outwards, take the dimensions for which
//    that holds. The product of their extents is the number of pages that one transfer
//    moves.
//
// A card may have another number of banks than the emulated chip: emitted C++ asks it
// (passes/metalium/TransferFunctions.cpp). Copies of a part of a block do not qualify: its pages
// need not be consecutive. A copy is still waited for as a whole: its handle and transfer id do not
// change.
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "ir/TTL/BufferPages.h"
#include "passes/common/Copies.h"
#include "passes/common/Multiples.h"
#include "passes/common/Threads.h"

#include "mlir/IR/Matchers.h"

#include <array>
#include <optional>

namespace ttjit {
#define GEN_PASS_DEF_TTLCOALESCEDMA
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// Returns whether the tensor has a layout; ttl-verify-layouts rejects other tensors.
bool hasLayout(ttl::IndexAccessorOp slice) {
  RankedTensorType tensor = slice.getResult().getType().getTensor();
  return isa_and_nonnull<ttl::TensorEncodingAttr>(tensor.getEncoding());
}

// Returns whether the pages of the copy's block are known to follow each other.
bool hasConsecutivePages(ttl::CopyOp copy, ThreadBinding &binding) {
  Operation *acquire = acquireOf(blockOf(copy));
  if (!acquire || !acquire->getNumOperands() || !binding.isBound(acquire->getOperand(0)))
    return false;
  auto buffer = binding.boundTo(acquire->getOperand(0)).getDefiningOp<ttl::CreateCBOp>();
  return buffer && !ttl::hasPadding(buffer);
}

// The pages of a slice: the extents of the tensor, and the slice's starts and sizes.
struct PageSlice {
  explicit PageSlice(ttl::IndexAccessorOp slice)
      : part(slice.getResult().getType()), tensor(part.getTensor()),
        stored(ttl::getStoredShape(part)), extents(pageDims(stored, tensor)),
        sizes(pageDims(part.getSizes(), tensor)),
        starts(slice.getIndices().take_front(sizes.size())) {}

  ttl::TensorSliceType part;
  RankedTensorType tensor;
  SmallVector<int64_t> stored;
  ArrayRef<int64_t> extents, sizes;
  ValueRange starts;
};

int64_t adjacentInBank(const PageSlice &slice, int64_t banks) {
  int64_t together = 1, stride = 1;
  for (auto [extent, size] : llvm::reverse(llvm::zip_equal(slice.extents, slice.sizes))) {
    if (size > 1 && stride != together * banks)
      break;
    together *= size;
    stride *= extent;
  }
  return together;
}

// Returns whether a slice of `size` from `start` on, in a dimension of `extent`, is in one shard of
// `shard` everywhere.
bool isInOneShard(Value start, int64_t size, int64_t extent, int64_t shard) {
  APInt number;
  if (size <= shard && matchPattern(start, m_ConstantInt(&number)))
    return number.getSExtValue() % shard + size <= shard;
  return extent <= shard || (shard % size == 0 && isMultipleOf(start, size)) ||
         (size <= shard && isMultipleOf(start, shard));
}

// Returns how many rows and columns of pages a shard has; nothing if it has not two dimensions.
std::optional<std::array<int64_t, 2>> shardOf(RankedTensorType tensor) {
  ttl::LayoutAttrInterface layout = cast<ttl::TensorEncodingAttr>(tensor.getEncoding()).getLayout();
  ArrayRef<int64_t> shard = layout.getShard(), tile = layout.getTile();
  if (shard.size() != 2)
    return std::nullopt;
  if (tile.empty()) // a page is a whole row
    return std::array<int64_t, 2>{shard[0], 1};
  return std::array<int64_t, 2>{shard[0] / tile[0], shard[1] / tile[1]};
}

// Returns how many pages are adjacent in a shard. All dimensions but the last count rows.
int64_t adjacentInShard(const PageSlice &slice) {
  std::optional<std::array<int64_t, 2>> shard = shardOf(slice.tensor);
  if (!shard)
    return 1;
  auto [shardRows, shardColumns] = *shard;
  bool tiled = slice.sizes.size() == slice.stored.size();
  int64_t columns = tiled ? slice.sizes.back() : 1;
  if (tiled && !isInOneShard(slice.starts.back(), columns, slice.extents.back(), shardColumns))
    return 1;
  ArrayRef<int64_t> rowSizes = slice.sizes.drop_back(tiled),
                    rowExtents = slice.extents.drop_back(tiled);
  if (columns != shardColumns || rowSizes.empty() ||
      llvm::any_of(rowSizes.drop_back(), [](int64_t size) { return size != 1; }))
    return columns;
  // One step in a row dimension before the last one skips rowExtents.back() rows. If that is a
  // multiple of shardRows, the place within a shard depends on the last row dimension only.
  bool only = rowSizes.size() == 1 || rowExtents.back() % shardRows == 0;
  int64_t rows = rowSizes.back();
  return only && isInOneShard(slice.starts[rowSizes.size() - 1], rows, rowExtents.back(), shardRows)
             ? rows * columns
             : columns;
}

int64_t adjacentPages(ttl::CopyOp copy, ThreadBinding &binding) {
  hw::ArchDesc arch = archOf(binding.program);
  PageSlice slice(sliceOf(copy));
  auto encoding = cast<ttl::TensorEncodingAttr>(slice.tensor.getEncoding());
  bool isDram = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceDRAM;
  int64_t alignment = isDram ? arch.dramAlignment : arch.l1Alignment;
  if (copy.getPart() || ttl::getPageBytes(slice.tensor) % alignment ||
      !hasConsecutivePages(copy, binding) || !ttl::hasWholePages(slice.part))
    return 1;
  bool interleaved =
      encoding.getLayout().getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved;
  if (!interleaved)
    return adjacentInShard(slice);
  return adjacentInBank(slice, isDram ? arch.dramBanks : arch.gridX * arch.gridY);
}

struct CoalesceDMA : ttjit::impl::TTLCoalesceDMABase<CoalesceDMA> {
  void runOnOperation() override {
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding)
      return;
    getOperation().walk([&](ttl::CopyOp copy) {
      ttl::IndexAccessorOp slice = sliceOf(copy);
      if (!slice || !hasLayout(slice))
        return;
      ++numCopies;
      int64_t pages = adjacentPages(copy, *binding);
      if (pages == 1)
        return;
      setPagesTogether(copy, pages);
      ++numCoalesced;
    });
  }
};

} // namespace
