//===- LowerDataMovement.cpp - ttl-lower-data-movement ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the NoC transfers pages. A copy of a block is a transfer of each page between the
// tensor and consecutive pages of the buffer.
//
// 1. Create the accessor of each tensor at the start of the thread. The base of the
//    thread's k-th tensor is common run-time argument k. The compile-time arguments
//    contain the buffers first, then the words of the tensors' layouts.
// 2. Check the starts of slices at run time unless they are provably inside the tensor.
// 3. Turn a copy into a call that sets its transfer id (0 if only other copies of the
//    thread have one) and transfers of the slice's pages in row-major order, to or from
//    addresses that are page_size bytes apart. One transfer moves all pages that ttl-coalesce-dma
//    grouped. A slice of a row-major tensor that has no whole pages moves parts of rows.
// 4. Turn a wait into the barrier of its copy's transfer id, or of all transfers in
//    that direction if the copy has no id.
// 5. Elements of blocks are loaded and stored at their L1 addresses (ElementLowering.cpp).
//    A print of a tensor gets its accessor.
//
// Needs layouts that ttl-verify-layouts accepts. Rejects starts of slices that are
// certainly outside the tensor, and transfers that are not ready (TransferChecks).
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "ir/Locations/Locations.h"
#include "ir/Messages/Warnings.h"
#include "ir/TTL/BufferPages.h"
#include "ir/TTL/IndexUnits.h"
#include "passes/common/Copies.h"
#include "passes/common/IndexRange.h"
#include "passes/common/Multiples.h"
#include "passes/common/StageChecks.h"
#include "passes/ttkernel/BlockAddress.h"
#include "passes/ttkernel/HostLowering.h"
#include "passes/ttkernel/KernelArguments.h"
#include "passes/ttkernel/PipeTransfers.h"
#include "passes/ttkernel/TransferChecks.h"

#include <numeric>

namespace ttjit {
#define GEN_PASS_DEF_TTLLOWERDATAMOVEMENT
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class TransferLowering {
public:
  explicit TransferLowering(ThreadBinding binding)
      : binding(binding), arguments(binding), arithmetic(binding.function),
        ranges(binding.function, binding.program.getGrid().getShape()),
        pipes(binding, arguments, arithmetic), elements(arithmetic, arguments, ranges) {}

  LogicalResult run();

private:
  void createAccessors();
  LogicalResult checkStart(OpBuilder &builder, ttl::IndexAccessorOp slice);
  void lower(ttl::CopyOp copy);
  void lower(ttl::WaitOp wait);
  void lower(ttl::DMABarrierOp op);
  void lower(ttl::PrintTensorOp op);
  void setId(OpBuilder &builder, ttl::CopyOp copy);
  void barrier(OpBuilder &builder, Location loc, bool reads, Value id);
  void findTags();
  void transferPages(OpBuilder &builder, ttl::CopyOp copy, Value base);
  void transferRows(OpBuilder &builder, ttl::CopyOp copy, Value base);
  Value numberInBlock(OpBuilder &builder, ttl::CopyOp copy, ValueRange inSlice,
                      ArrayRef<int64_t> sizes);
  Value pageAddress(OpBuilder &builder, ttl::CopyOp copy, Value base, Value number);
  bool isAligned(ttl::CopyOp copy);

  ThreadBinding binding;
  KernelArguments arguments;
  Arithmetic arithmetic;
  IndexRanges ranges;
  PipeTransfers pipes;
  ElementLowering elements;
  DenseMap<Value, Value> accessors; // accessor of each tensor argument of the function
  bool tagsReads = false, tagsWrites = false;
};

void TransferLowering::createAccessors() {
  OpBuilder builder(binding.function.getContext());
  arguments.setToPrologueEnd(builder);
  int64_t tensors = 0, words = numBufferIndices(binding.program);
  for (BlockArgument argument : binding.function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    Location loc = argument.getLoc();
    // The layout of an interleaved tensor takes one word of each kind of argument.
    auto args = ttkernel::createCall<ttkernel::TensorAccessorArgsOp>(
        builder, loc, ttkernel::TensorAccessorArgsType::get(builder.getContext()), words, tensors,
        type);
    Value base = ttkernel::createCall<ttkernel::GetCommonArgValOp>(
        builder, loc, builder.getI32Type(), arithmetic.i32(tensors));
    accessors[argument] = ttkernel::createCall<ttkernel::TensorAccessorOp>(
        builder, loc, ttkernel::TensorAccessorType::get(builder.getContext()), args, base,
        arithmetic.i32(ttl::getPageBytes(type)));
    ++tensors;
    ++words;
  }
}

LogicalResult TransferLowering::checkStart(OpBuilder &builder, ttl::IndexAccessorOp slice) {
  Value tensor = slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  std::string name = getSourceName(tensor.getLoc()).value_or("tensor");
  SmallVector<int64_t> bounds = ttl::getStoredShape(slice.getResult().getType());
  ArrayRef<int64_t> sizes = slice.getResult().getType().getSizes();
  for (auto [dim, start] : llvm::enumerate(slice.getIndices())) {
    IndexRange range = ranges.of(start);
    int64_t last = bounds[dim] - sizes[dim];
    if (range.min >= 0 && range.max <= last)
      continue;
    if (range.max < 0 || range.min > last)
      return slice.emitError() << "index " << range.min << " of '" << name << "' in dimension "
                               << dim << " is out of range: a part of " << sizes[dim]
                               << " must start at an index from 0 to " << last;
    ttl::setIndexUnit(ttl::CheckIndexOp::create(builder, slice.getLoc(), start, sizes[dim],
                                                bounds[dim], dim, builder.getStringAttr(name)),
                      ttl::indexUnit(dim, slice.getResult().getType()));
  }
  return success();
}

// The page at coordinates `inSlice` of the slice has a place in the copy's block. Returns the index
// of that place, counted from the start of the block, also if the copy moves only a part of it.
Value TransferLowering::numberInBlock(OpBuilder &builder, ttl::CopyOp copy, ValueRange inSlice,
                                      ArrayRef<int64_t> sizes) {
  Location loc = copy.getLoc();
  if (!copy.getPart())
    return arithmetic.linearise(builder, loc, inSlice, sizes);
  Value inPart = arithmetic.linearise(builder, loc, inSlice, copy.getWholeExtents());
  return arithmetic.add(builder, loc, copy.getPart(), inPart);
}

// Returns the L1 address of a page of the block that begins at `base`.
Value TransferLowering::pageAddress(OpBuilder &builder, ttl::CopyOp copy, Value base,
                                    Value number) {
  Location loc = copy.getLoc();
  int64_t size = ttl::pageSizeOf(binding.bufferOfBlock(blockOf(copy)));
  Value offset = arithmetic.mul(builder, loc, arithmetic.toI32(builder, loc, number), size);
  return arithmetic.add(builder, loc, base, offset);
}

void TransferLowering::transferPages(OpBuilder &builder, ttl::CopyOp copy, Value base) {
  Location loc = copy.getLoc();
  ttl::IndexAccessorOp slice = sliceOf(copy);
  Value tensor = slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> stored = ttl::getStoredShape(slice.getResult().getType());
  ArrayRef<int64_t> sizes = pageDims(slice.getResult().getType().getSizes(), type);
  int64_t together = pagesTogether(copy);

  // A dimension whose pages all move in one transfer needs no loop.
  unsigned loops = sizes.size();
  for (int64_t pages = together; pages > 1; pages /= sizes[loops])
    --loops;
  SmallVector<Value> position, inSlice;
  for (auto [start, extent] : llvm::zip(slice.getIndices(), sizes)) {
    bool loop = inSlice.size() < loops;
    inSlice.push_back(arithmetic.enterLoop(builder, loc, loop ? extent : 1));
    position.push_back(arithmetic.add(builder, loc, start, inSlice.back()));
  }
  Value page = arithmetic.linearise(builder, loc, position, pageDims(stored, type));
  Value number = numberInBlock(builder, copy, inSlice, sizes);
  Value address = pageAddress(builder, copy, base, number);
  page = arithmetic.toI32(builder, loc, page);
  if (together > 1 && copy.isRead())
    ttkernel::createCall<ttkernel::NocAsyncReadPagesOp>(
        builder, loc, page, accessors.lookup(tensor), address, arithmetic.i32(together));
  else if (together > 1)
    ttkernel::createCall<ttkernel::NocAsyncWritePagesOp>(
        builder, loc, page, accessors.lookup(tensor), address, arithmetic.i32(together));
  else if (copy.isRead())
    ttkernel::createCall<ttkernel::NocAsyncReadPageOp>(builder, loc, page, accessors.lookup(tensor),
                                                       address);
  else
    ttkernel::createCall<ttkernel::NocAsyncWritePageOp>(builder, loc, page,
                                                        accessors.lookup(tensor), address);
}

// Returns whether each page is a whole row of the tensor: shards that are narrower than the tensor
// cut its rows into several pages.
static bool hasWholeRows(ttl::TensorSliceType part) {
  int64_t columns = ttl::getStoredShape(part).back();
  return ttl::getPageBytes(part.getTensor()) == columns * ttl::getElementBytes(part.getTensor());
}

// Returns whether the block begins at a multiple of the NoC's alignment. A buffer does, so its only
// block does.
static bool isOnlyBlock(Value block) {
  auto buffer = cast<ttl::BlockType>(block.getType()).getCircularBuffer();
  return buffer.getBufferFactor() == 1 && !block.getDefiningOp<ttl::BlockAtOp>();
}

// Returns whether the rows of the copy's slice begin at addresses that the NoC can move to those of
// the block: pages of the tensor begin at multiples of its alignment.
bool TransferLowering::isAligned(ttl::CopyOp copy) {
  ttl::IndexAccessorOp slice = sliceOf(copy);
  ttl::TensorSliceType part = slice.getResult().getType();
  auto encoding = cast<ttl::TensorEncodingAttr>(part.getTensor().getEncoding());
  if (!hasWholeRows(part))
    return false;
  int64_t bytes = ttl::getElementBytes(part.getTensor());
  int64_t pageSize = ttl::pageSizeOf(binding.bufferOfBlock(blockOf(copy)));
  hw::ArchDesc arch = archOf(binding.program);
  bool readsDram = copy.isRead() && encoding.getMemorySpace() == ttcore::MemorySpace::DeviceDRAM;
  int64_t alignment = readsDram ? arch.dramAlignment : arch.l1Alignment;
  bool oneRow = llvm::all_of(part.getSizes().drop_back(), [](int64_t n) { return n == 1; }) &&
                isOnlyBlock(blockOf(copy));
  return (oneRow || pageSize % alignment == 0) &&
         isMultipleOf(slice.getIndices().back(), alignment / std::gcd(alignment, bytes));
}

static void warnOfAlignment(ttl::CopyOp copy, Value tensor, bool wholeRows) {
  std::string name = getSourceName(tensor.getLoc()).value_or("tensor");
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  bool isAll =
      !shape.empty() && sliceOf(copy).getResult().getType().getSizes().back() == shape.back();
  if (wholeRows)
    emitWarning(WarningKind::Emission, copy)
        << "on a card, this copy of " << (isAll ? "rows of '" : "parts of rows of '") << name
        << "' is slow: it goes through a buffer, row by row; a transfer without one begins and "
           "ends at multiples of the memory's alignment (32 or 64 bytes for reads from DRAM, "
           "else 16): "
        << (isAll ? "pad the rows of the tensor" : "choose slices whose rows do")
        << ", or use tile layout";
  else
    emitWarning(WarningKind::Emission, copy)
        << "on a card, this copy is slow: the shards of '" << name
        << "' cut its rows, so that it goes through a buffer, row by row; let the shards have "
           "whole rows, or use tile layout";
}

void TransferLowering::transferRows(OpBuilder &builder, ttl::CopyOp copy, Value base) {
  Location loc = copy.getLoc();
  ttl::IndexAccessorOp slice = sliceOf(copy);
  ttl::TensorSliceType part = slice.getResult().getType();
  Value tensor = slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  SmallVector<int64_t> stored = ttl::getStoredShape(part);
  ArrayRef<int64_t> sizes = part.getSizes().drop_back();
  int64_t elementBytes = ttl::getElementBytes(part.getTensor());
  int64_t bytes = part.getSizes().back() * elementBytes;
  bool aligned = isAligned(copy);
  if (!aligned)
    warnOfAlignment(copy, tensor, hasWholeRows(part));

  SmallVector<Value> position, inSlice;
  for (auto [start, extent] : llvm::zip(slice.getIndices().drop_back(), sizes)) {
    inSlice.push_back(arithmetic.enterLoop(builder, loc, extent));
    position.push_back(arithmetic.add(builder, loc, start, inSlice.back()));
  }
  Value row = arithmetic.linearise(builder, loc, position, ArrayRef(stored).drop_back());
  row = arithmetic.toI32(builder, loc, row);
  Value number = arithmetic.linearise(builder, loc, inSlice, sizes);
  Value address = pageAddress(builder, copy, base, number);
  Value offset = arithmetic.toI32(builder, loc, slice.getIndices().back());
  offset = arithmetic.mul(builder, loc, offset, elementBytes);
  Value length = arithmetic.i32(bytes);
  if (copy.isRead())
    ttkernel::createCall<ttkernel::NocAsyncReadRowOp>(builder, loc, row, accessors.lookup(tensor),
                                                      offset, length, address, aligned);
  else
    ttkernel::createCall<ttkernel::NocAsyncWriteRowOp>(builder, loc, row, accessors.lookup(tensor),
                                                       offset, length, address, aligned);
}

void TransferLowering::setId(OpBuilder &builder, ttl::CopyOp copy) {
  Location loc = copy.getLoc();
  bool tagged = copy.getTransferId() || copy.getId();
  if (!tagged && !(copy.isRead() ? tagsReads : tagsWrites))
    return;
  Value id = copy.getId() ? copy.getId() : arithmetic.i32(copy.getTransferId().value_or(0));
  if (copy.isRead())
    ttkernel::createCall<ttkernel::NocAsyncReadSetTridOp>(builder, loc, id);
  else
    ttkernel::createCall<ttkernel::NocAsyncWriteSetTridOp>(builder, loc, id);
}

void TransferLowering::lower(ttl::CopyOp copy) {
  OpBuilder builder(copy);
  setId(builder, copy);
  Value base = blockAddress(builder, copy.getLoc(), arithmetic, arguments, blockOf(copy));
  if (ttl::hasWholePages(sliceOf(copy).getResult().getType()))
    transferPages(builder, copy, base);
  else
    transferRows(builder, copy, base);
}

void TransferLowering::barrier(OpBuilder &builder, Location loc, bool reads, Value id) {
  if (id && reads)
    ttkernel::createCall<ttkernel::NocAsyncReadBarrierWithTridOp>(builder, loc, id);
  else if (id)
    ttkernel::createCall<ttkernel::NocAsyncWriteBarrierWithTridOp>(builder, loc, id);
  else if (reads)
    ttkernel::createCall<ttkernel::NocAsyncReadBarrierOp>(builder, loc);
  else
    ttkernel::createCall<ttkernel::NocAsyncWriteBarrierOp>(builder, loc);
}

void TransferLowering::lower(ttl::WaitOp wait) {
  OpBuilder builder(wait);
  auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
  Value id = copy.getId();
  if (auto number = copy.getTransferId())
    id = arithmetic.i32(*number);
  barrier(builder, wait.getLoc(), copy.isRead(), id);
}

void TransferLowering::lower(ttl::DMABarrierOp op) {
  OpBuilder builder(op);
  if (op.waitsForReads())
    barrier(builder, op.getLoc(), /*reads=*/true, op.getId());
  if (op.waitsForWrites())
    barrier(builder, op.getLoc(), /*reads=*/false, op.getId());
}

void TransferLowering::lower(ttl::PrintTensorOp op) {
  OpBuilder builder(op);
  Value tensor = op.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  ttkernel::createCall<ttkernel::DPrintTensorOp>(builder, op.getLoc(), accessors.lookup(tensor),
                                                 op.getNumPagesAttr(),
                                                 TypeAttr::get(tensor.getType()));
}

void TransferLowering::findTags() {
  binding.function.walk([&](ttl::CopyOp copy) {
    if (copy.getTransferId() || copy.getId())
      (copy.isRead() ? tagsReads : tagsWrites) = true;
  });
}

LogicalResult TransferLowering::run() {
  findTags();
  createAccessors();
  SmallVector<Operation *> old;
  WalkResult result = binding.function.walk([&](Operation *op) -> WalkResult {
    if (auto slice = dyn_cast<ttl::IndexAccessorOp>(op)) {
      OpBuilder builder(slice);
      old.push_back(op);
      return checkStart(builder, slice);
    }
    if (auto dmaBarrier = dyn_cast<ttl::DMABarrierOp>(op))
      lower(dmaBarrier);
    if (auto copy = dyn_cast<ttl::CopyOp>(op))
      lower(copy);
    if (auto wait = dyn_cast<ttl::WaitOp>(op))
      lower(wait);
    if (auto print = dyn_cast<ttl::PrintTensorOp>(op))
      lower(print);
    bool lowered = pipes.lower(op);
    if (failed(elements.lower(op, lowered)))
      return failure();
    if (lowered ||
        isa<ttl::TensorAccessorOp, ttl::DMABarrierOp, ttl::CopyOp, ttl::WaitOp, ttl::PrintTensorOp>(
            op))
      old.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return eraseLowered(old, "the passes of the stages up to buffers");
}

LogicalResult lower(ThreadBinding &binding) {
  if (failed(requireBufferIndices(binding.program)) || failed(requireAcquires(binding.function)) ||
      failed(checkTransfers(binding)) || failed(ttkernel::verifyCalls(binding.function)))
    return failure();
  return TransferLowering(binding).run();
}

struct LowerDataMovement : ttjit::impl::TTLLowerDataMovementBase<LowerDataMovement> {
  void runOnOperation() override {
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding || binding->isCompute())
      return;
    getOperation().walk([&](Operation *op) {
      numTransfers += isa<ttl::CopyOp>(op);
      numBarriers += isa<ttl::WaitOp, ttl::DMABarrierOp>(op);
    });
    if (failed(lower(*binding)))
      signalPassFailure();
  }
};

} // namespace
