//===- CoalesceDMA.cpp - ttl-coalesce-dma -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a copy moves its block page by page, though one transfer of several pages
// takes hardly longer than one of a single page.
//
// 1. The pages of a block without padding are consecutive in L1. Page p of an interleaved tensor is
// in
//    bank p mod banks, directly after page p - banks if a page has no padding. So two
//    pages are adjacent in both places if they are neighbours in the block and their
//    numbers differ by the number of banks.
// 2. From the innermost dimension of the slice outwards, take the dimensions for which
//    that holds. The product of their extents is the number of pages that one transfer
//    moves.
//
// Only interleaved tensors in DRAM qualify: the number of L1 banks depends on the card. Copies of
// a part of a block do not: its pages need not be consecutive. A copy is still waited for as a
// whole: its handle and transfer id do not change.
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "ir/TTL/BufferPages.h"
#include "passes/common/Copies.h"
#include "passes/common/Threads.h"

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

int64_t contiguousPages(ttl::CopyOp copy, ThreadBinding &binding) {
  hw::ArchDesc arch = archOf(binding.program);
  ttl::IndexAccessorOp slice = sliceOf(copy);
  RankedTensorType tensor = slice.getResult().getType().getTensor();
  auto encoding = cast<ttl::TensorEncodingAttr>(tensor.getEncoding());
  bool interleaved =
      encoding.getLayout().getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved;
  if (copy.getPart() || encoding.getMemorySpace() != ttcore::MemorySpace::DeviceDRAM ||
      !interleaved || ttl::getPageBytes(tensor) % arch.dramAlignment ||
      !hasConsecutivePages(copy, binding) || !ttl::hasWholePages(slice.getResult().getType()))
    return 1;
  SmallVector<int64_t> stored = ttl::getStoredShape(tensor);
  ArrayRef<int64_t> extents = pageDims(stored, tensor);
  ArrayRef<int64_t> sizes = pageDims(slice.getResult().getType().getSizes(), tensor);
  int64_t together = 1, stride = 1;
  for (auto [extent, size] : llvm::reverse(llvm::zip_equal(extents, sizes))) {
    if (size > 1 && stride != together * arch.dramBanks)
      break;
    together *= size;
    stride *= extent;
  }
  return together;
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
      int64_t pages = contiguousPages(copy, *binding);
      if (pages == 1)
        return;
      setPagesTogether(copy, pages);
      ++numCoalesced;
    });
  }
};

} // namespace
