//===- TransferChecks.cpp - transfers that can be lowered ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/TransferChecks.h"

#include "ir/TTL/BufferPages.h"
#include "passes/common/Copies.h"
#include "passes/common/StageChecks.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Checks an accessor: only tensors have their base among the common run-time arguments.
static LogicalResult checkAccessor(ttl::TensorAccessorOp accessor, ThreadBinding &binding) {
  if (binding.isBound(accessor.getTensor()))
    return success();
  return accessor.emitOpError("cannot take a tensor that is no argument of the thread function");
}

static LogicalResult checkSlice(ttl::IndexAccessorOp slice) {
  if (slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>())
    return success();
  return slice.emitOpError("needs an accessor that 'ttl.tensor_accessor' makes in this function");
}

// Checks the copy's page_size: it must be a multiple of DRAM's alignment, as the pages of a tensor
// are, because the NoC reads from DRAM only to an L1 address that is equal modulo that alignment.
static LogicalResult checkPageSize(ttl::CopyOp copy, ttl::TensorSliceType part,
                                   ThreadBinding &binding) {
  ttl::CreateCBOp buffer = binding.bufferOfBlock(blockOf(copy));
  auto encoding = cast<ttl::TensorEncodingAttr>(part.getTensor().getEncoding());
  int64_t size = ttl::pageSizeOf(buffer), alignment = archOf(binding.program).dramAlignment;
  bool readsDram = copy.isRead() && encoding.getMemorySpace() == ttcore::MemorySpace::DeviceDRAM;
  if (!readsDram || !ttl::hasPadding(buffer) || size % alignment == 0)
    return success();
  InFlightDiagnostic diagnostic =
      copy.emitError() << "this copy reads DRAM into '" << buffer.getName() << "', whose page_size "
                       << size << " is no multiple of " << alignment << " bytes, the alignment of "
                       << "DRAM on " << archOf(binding.program).name
                       << ": write page_size = " << llvm::alignTo(size, alignment);
  diagnostic.attachNote(buffer.getLoc()) << "the buffer is made here";
  return diagnostic;
}

// Checks a copy. Pages can move in one transfer only if they are all pages of the innermost
// dimensions: the page loops run over the other dimensions.
static LogicalResult checkCopy(ttl::CopyOp copy, ThreadBinding &binding) {
  if (copy.isSend() || copy.isReceive())
    return notReady(copy, "goes through a pipe", "ttl-infer-pipe-semaphores");
  ttl::IndexAccessorOp slice = sliceOf(copy);
  if (!slice)
    return copy.emitOpError("needs a part of a tensor that 'ttl.index_accessor' makes in this "
                            "function");
  ttl::TensorSliceType type = slice.getResult().getType();
  if (!isa_and_nonnull<ttl::TensorEncodingAttr>(type.getTensor().getEncoding()))
    return notReady(copy, "moves a tensor without a ttl.tensor_encoding", "ttl-verify-layouts");
  if (!ttl::hasWholePages(type))
    return pagesTogether(copy) == 1
               ? success()
               : copy.emitOpError("moves parts of rows, which do not move together");
  if (failed(checkPageSize(copy, type, binding)))
    return failure();
  int64_t together = pagesTogether(copy), pages = 1;
  for (int64_t size : llvm::reverse(pageDims(type.getSizes(), type.getTensor())))
    pages *= pages < together ? size : 1;
  if (pages == together)
    return success();
  return copy.emitOpError("cannot move ")
         << together << " pages in one transfer, because they are not all of its "
         << "innermost dimensions: let ttl-coalesce-dma choose the number";
}

static LogicalResult checkWait(ttl::WaitOp wait) {
  if (wait.getXf().getDefiningOp<ttl::CopyOp>())
    return success();
  return notReady(wait, "waits for a transfer that is no ttl.copy of this function",
                  "ttl-insert-synchronization and ttl-assign-transfer-ids");
}

template <typename OpT> static LogicalResult checkSlot(OpT op, Value slot) {
  if (isa_and_nonnull<ttl::LandingSlotOp, ttl::BufferSlotOp>(slot.getDefiningOp()))
    return success();
  return op.emitOpError("needs a slot that 'ttl.landing_slot' or 'ttl.buffer_slot' makes in this "
                        "function");
}

static LogicalResult checkAddress(Operation *op, Value resource, ThreadBinding &binding) {
  Operation *create = binding.boundTo(resource).getDefiningOp();
  if (create->hasAttr("address"))
    return success();
  if (auto buffer = dyn_cast<ttl::CreateCBOp>(create); buffer && buffer.isTensorBacked())
    return op->emitOpError("cannot name a slot of '")
           << buffer.getName() << "': a tensor backs it, so its address is not known here";
  return notReady(create, "has no address", "ttl-allocate-circular-buffers");
}

LogicalResult ttjit::checkTransfers(ThreadBinding &binding) {
  WalkResult result = binding.function.walk([&](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](ttl::TensorAccessorOp accessor) { return checkAccessor(accessor, binding); })
        .Case([](ttl::IndexAccessorOp slice) { return checkSlice(slice); })
        .Case([&](ttl::CopyOp copy) { return checkCopy(copy, binding); })
        .Case([](ttl::WaitOp wait) { return checkWait(wait); })
        .Case<ttl::SendOp, ttl::SendMulticastOp>(
            [](auto send) { return checkSlot(send, send.getDst()); })
        .Case([](ttl::ReceiveOp receive) { return checkSlot(receive, receive.getSrc()); })
        .Case(
            [&](ttl::LandingSlotOp slot) { return checkAddress(slot, slot.getLanding(), binding); })
        .Case([&](ttl::BufferSlotOp slot) { return checkAddress(slot, slot.getCb(), binding); })
        .Default([](Operation *) { return success(); });
  });
  return failure(result.wasInterrupted());
}
