//===- LowerDataMovement.cpp - ttl-lower-data-movement --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a transfer of a block is a series of page transfers between a
// tensor's pages and consecutive pages of a buffer.
//
// 1. Make the accessor of each tensor at the start of the thread: its base is
//    common run-time argument k for the k-th tensor of the thread; the words of
//    its layout follow the buffers' among the compile-time arguments.
// 2. Check the starts of slices at run time where they are not provably inside
//    the tensor.
// 3. A copy sets its transfer id and runs over the slice's pages, row-major.
// 4. A wait is the barrier of its copy's id, or of all transfers of that
//    direction where the copy has none.
//
// Needs the layouts that ttl-verify-layouts accepts. Rejects several blocks of one
// buffer held at once that can wrap around its end, and starts of slices that are
// certainly outside the tensor.
//===--------------------------------------------------------------------------===//

#include "ir/Support/Locations.h"
#include "passes/Support/Arithmetic.h"
#include "passes/Support/BlockSlots.h"
#include "passes/Support/BufferLayout.h"
#include "passes/Support/IndexRange.h"
#include "passes/Support/KernelArguments.h"
#include "passes/Support/PipeTransfers.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLLOWERDATAMOVEMENT
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

/// The slice's side of a copy.
ttl::IndexAccessorOp sliceOf(ttl::CopyOp copy) {
  Value slice = copy.isRead() ? copy.getSrc() : copy.getDst();
  return slice.getDefiningOp<ttl::IndexAccessorOp>();
}

class TransferLowering {
public:
  explicit TransferLowering(ThreadBinding binding)
      : binding(binding), arguments(binding), arithmetic(binding.function),
        ranges(binding.program.getGrid().getShape()),
        pipes(binding, arguments, arithmetic, slots) {}

  LogicalResult run();

private:
  void createAccessors();
  LogicalResult checkStart(OpBuilder &builder, ttl::IndexAccessorOp slice);
  void lower(ttl::CopyOp copy);
  void lower(ttl::WaitOp wait);
  void transferPages(OpBuilder &builder, ttl::CopyOp copy, Value base);
  Value blockAddress(OpBuilder &builder, ttl::CopyOp copy);

  ThreadBinding binding;
  KernelArguments arguments;
  Arithmetic arithmetic;
  IndexRanges ranges;
  BlockSlots slots;
  PipeTransfers pipes;
  DenseMap<Value, Value> accessors; ///< by tensor argument of the function
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
    // An interleaved tensor's layout is one word of each kind of argument.
    auto args = ttkernel::TensorAccessorArgsOp::create(
        builder, loc, ttkernel::TensorAccessorArgsType::get(builder.getContext()), words,
        tensors, type);
    Value base = ttkernel::GetCommonArgValOp::create(builder, loc, builder.getI32Type(),
                                                     arithmetic.i32(tensors));
    accessors[argument] = ttkernel::TensorAccessorOp::create(
        builder, loc, ttkernel::TensorAccessorType::get(builder.getContext()), args, base,
        arithmetic.i32(ttl::getPageBytes(type)));
    ++tensors;
    ++words;
  }
}

LogicalResult TransferLowering::checkStart(OpBuilder &builder, ttl::IndexAccessorOp slice) {
  Value tensor = slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  std::string name = getSourceName(tensor.getLoc()).value_or("tensor");
  SmallVector<int64_t> bounds =
      ttl::getStoredShape(cast<RankedTensorType>(tensor.getType()));
  ArrayRef<int64_t> sizes = slice.getResult().getType().getSizes();
  for (auto [dim, start] : llvm::enumerate(slice.getIndices())) {
    IndexRange range = ranges.of(start);
    int64_t last = bounds[dim] - sizes[dim];
    if (range.min >= 0 && range.max <= last)
      continue;
    if (range.max < 0 || range.min > last)
      return slice.emitError() << "index " << range.min << " of '" << name << "' in dimension "
                               << dim << " is out of range: a part of " << sizes[dim]
                               << " starts at 0 to " << last;
    ttl::CheckIndexOp::create(builder, slice.getLoc(), start, sizes[dim], bounds[dim], dim,
                              builder.getStringAttr(name));
  }
  return success();
}

// Address of the block's first page, with the user's name of the block.
Value TransferLowering::blockAddress(OpBuilder &builder, ttl::CopyOp copy) {
  Value block = copy.isRead() ? copy.getDst() : copy.getSrc();
  std::optional<std::string> name = getSourceName(block.getLoc());
  Location loc = name ? named(*name, copy.getLoc()) : copy.getLoc();
  Value buffer = arguments.bufferOfBlock(block), address;
  if (isa<ttl::CBReserveOp>(acquireOf(block)))
    address = ttkernel::GetWritePtrOp::create(builder, loc, builder.getI32Type(), buffer);
  else
    address = ttkernel::GetReadPtrOp::create(builder, loc, builder.getI32Type(), buffer);
  auto type = cast<ttl::BlockType>(block.getType()).getCircularBuffer();
  return arithmetic.add(builder, loc, address,
                        arithmetic.i32(slots.pageOffset(copy, block) * type.getPageBytes()));
}

// The innermost dimension of a row-major tensor lies inside one page.
static ArrayRef<int64_t> pageDims(ArrayRef<int64_t> dims, RankedTensorType tensor) {
  auto encoding = cast<ttl::TensorEncodingAttr>(tensor.getEncoding());
  return encoding.getLayout().isTiled() ? dims : dims.drop_back();
}

void TransferLowering::transferPages(OpBuilder &builder, ttl::CopyOp copy, Value base) {
  Location loc = copy.getLoc();
  ttl::IndexAccessorOp slice = sliceOf(copy);
  Value tensor = slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> stored = ttl::getStoredShape(type);
  ArrayRef<int64_t> sizes = pageDims(slice.getResult().getType().getSizes(), type);

  SmallVector<Value> position, inSlice;
  for (auto [start, extent] : llvm::zip(slice.getIndices(), sizes)) {
    inSlice.push_back(arithmetic.enterLoop(builder, loc, extent));
    position.push_back(arithmetic.add(builder, loc, start, inSlice.back()));
  }
  Value page = arithmetic.linearise(builder, loc, position, pageDims(stored, type));
  Value number = arithmetic.linearise(builder, loc, inSlice, sizes);
  Value offset =
      arithmetic.mul(builder, loc, arithmetic.toI32(builder, loc, number),
                     ttl::getPageBytes(type));
  Value address = arithmetic.add(builder, loc, base, offset);
  page = arithmetic.toI32(builder, loc, page);
  if (copy.isRead())
    ttkernel::NocAsyncReadPageOp::create(builder, loc, page, accessors.lookup(tensor), address);
  else
    ttkernel::NocAsyncWritePageOp::create(builder, loc, page, accessors.lookup(tensor), address);
}

void TransferLowering::lower(ttl::CopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  if (auto id = copy.getTransferId()) {
    if (copy.isRead())
      ttkernel::NocAsyncReadSetTridOp::create(builder, loc, arithmetic.i32(*id));
    else
      ttkernel::NocAsyncWriteSetTridOp::create(builder, loc, arithmetic.i32(*id));
  }
  transferPages(builder, copy, blockAddress(builder, copy));
}

void TransferLowering::lower(ttl::WaitOp wait) {
  OpBuilder builder(wait);
  Location loc = wait.getLoc();
  auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
  std::optional<uint32_t> id = copy.getTransferId();
  if (id && copy.isRead())
    ttkernel::NocAsyncReadBarrierWithTridOp::create(builder, loc, arithmetic.i32(*id));
  else if (id)
    ttkernel::NocAsyncWriteBarrierWithTridOp::create(builder, loc, arithmetic.i32(*id));
  else if (copy.isRead())
    ttkernel::NocAsyncReadBarrierOp::create(builder, loc);
  else
    ttkernel::NocAsyncWriteBarrierOp::create(builder, loc);
}

LogicalResult TransferLowering::run() {
  if (failed(slots.run(binding.function)))
    return failure();
  createAccessors();
  SmallVector<Operation *> old;
  WalkResult result = binding.function.walk([&](Operation *op) -> WalkResult {
    if (auto slice = dyn_cast<ttl::IndexAccessorOp>(op)) {
      OpBuilder builder(slice);
      old.push_back(op);
      return checkStart(builder, slice);
    }
    if (auto barrier = dyn_cast<ttl::DMABarrierOp>(op)) {
      OpBuilder builder(barrier);
      ttkernel::NocAsyncReadBarrierOp::create(builder, op->getLoc());
      ttkernel::NocAsyncWriteBarrierOp::create(builder, op->getLoc());
    }
    if (auto copy = dyn_cast<ttl::CopyOp>(op))
      lower(copy);
    if (auto wait = dyn_cast<ttl::WaitOp>(op))
      lower(wait);
    if (pipes.lower(op))
      old.push_back(op);
    if (isa<ttl::TensorAccessorOp, ttl::DMABarrierOp, ttl::CopyOp, ttl::WaitOp>(op))
      old.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (Operation *op : llvm::reverse(old))
    op->erase();
  return success();
}

struct LowerDataMovement : ttjit::impl::TTLLowerDataMovementBase<LowerDataMovement> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (!binding.isCompute() && failed(TransferLowering(binding).run()))
        return signalPassFailure();
  }
};

} // namespace
