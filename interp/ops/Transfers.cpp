//===- Transfers.cpp - copies between tensors and blocks ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy is one transfer per page or part of a row, the same as after the lowering. A handle has
// the direction to wait for and, once ids are assigned, the transfer id.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/Mailboxes.h"
#include "interp/ops/TileRules.h"

#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------===//

// Operands: number of the common argument, page size, whether the tensor is in L1.
static hw::Status runAccessor(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const hw::TensorAccess *access = nullptr;
  uint32_t base = ttl_hw_get_common_arg_val(&frame.thread, inst.operand<int32_t>(frame, 0));
  hw::Status status = ttl_hw_tensor_accessor(&frame.thread, base, inst.operand<int32_t>(frame, 1),
                                             inst.operand<int32_t>(frame, 2), &access);
  frame.set(inst.result, access);
  return status;
}

static llvm::Error accessor(ttl::TensorAccessorOp op, FunctionCompiler &compiler) {
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  auto encoding = dyn_cast_if_present<ttl::TensorEncodingAttr>(type.getEncoding());
  if (!encoding)
    return errorAt(op, "the tensor needs a #ttl.tensor_encoding");
  auto bytes = static_cast<int32_t>(ttl::getPageBytes(type));
  int32_t inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  compiler.emit(op, runAccessor,
                {compiler.slotOf(op.getTensor()), compiler.constantSlot(Slot::of(bytes)),
                 compiler.constantSlot(Slot::of(inL1))});
  return llvm::Error::success();
}

// A slice needs only its bounds check at run time: copies find the op that made it.
static llvm::Error indexAccessor(ttl::IndexAccessorOp op, FunctionCompiler &compiler) {
  SmallVector<int64_t> bounds = ttl::getStoredShape(op.getResult().getType());
  auto accessor = op.getAccessor().getDefiningOp<ttl::TensorAccessorOp>();
  std::string name =
      accessor ? getSourceName(accessor.getTensor().getLoc()).value_or("tensor") : "tensor";
  for (auto [dim, start] : llvm::enumerate(op.getIndices())) {
    auto number = [&](int64_t value) { return compiler.constantSlot(Slot::of(value)); };
    StringRef unit = ttl::indexUnit(dim, op.getResult().getType());
    int64_t size = op.getResult().getType().getSizes()[dim];
    std::string object = ttl::describeIndexed("tensor '" + name + "'", size, bounds[dim], unit);
    compiler.emit(op, apiHandler<ttl_hw_check_index>,
                  {compiler.slotOf(start), number(size), number(bounds[dim]), number(dim),
                   compiler.constantString(object)});
  }
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

namespace {
// The content of a handle's slot. The id is 0 for a transfer that has none.
struct Handle {
  static constexpr uint32_t kHasId = 1u << 8, kIsRead = 1u << 9;
  uint32_t bits;

  static Handle of(bool isRead, std::optional<uint32_t> id) {
    return {(id ? (*id & 0xff) | kHasId : 0) | (isRead ? kIsRead : 0)};
  }
  bool isRead() const { return bits & kIsRead; }
  bool hasId() const { return bits & kHasId; }
  int32_t id() const { return static_cast<int32_t>(bits & 0xff); }
};

struct CopyDetail : Detail {
  Handle handle;
  std::optional<SlotNumber> id; // slot of the id if a loop carries the handle
  SlotNumber access, block;
  SmallVector<SlotNumber> starts;
  SmallVector<int64_t> sizes, stored; // of the slice and the tensor, in pages or rows
  std::optional<SlotNumber> part;     // number of the first page of a part of the block
  SmallVector<int64_t> whole;         // extents of the block if `part` is set
  int32_t rowBytes = 0;               // bytes of a row of the slice; 0: the copy moves pages
  std::optional<SlotNumber> column;   // the element at which the slice's rows begin
  int64_t elementBytes = 0;
};
} // namespace

static hw::Status transferRow(Frame &frame, const CopyDetail &copy, int64_t row, uint32_t address) {
  const auto *access = frame.get<const hw::TensorAccess *>(copy.access);
  auto offset = static_cast<int32_t>(frame.get<int64_t>(*copy.column) * copy.elementBytes);
  auto *transfer = copy.handle.isRead() ? ttl_hw_noc_async_read_row : ttl_hw_noc_async_write_row;
  return transfer(&frame.thread, static_cast<int32_t>(row), access, offset, copy.rowBytes, address);
}

static hw::Status transferPage(Frame &frame, const CopyDetail &copy, int64_t page,
                               uint32_t address) {
  if (copy.column)
    return transferRow(frame, copy, page, address);
  const auto *access = frame.get<const hw::TensorAccess *>(copy.access);
  auto number = static_cast<int32_t>(page);
  return copy.handle.isRead() ? ttl_hw_noc_async_read_page(&frame.thread, number, access, address)
                              : ttl_hw_noc_async_write_page(&frame.thread, number, access, address);
}

// The page of the block that page `number` of the slice is copied from or to.
static int64_t pageOfBlock(const Frame &frame, const CopyDetail &copy, int64_t number) {
  if (!copy.part)
    return number;
  int64_t page = frame.get<int64_t>(*copy.part), stride = 1;
  for (size_t i = copy.sizes.size(); i-- > 0;) {
    page += number % copy.sizes[i] * stride;
    number /= copy.sizes[i];
    stride *= copy.whole[i];
  }
  return page;
}

static hw::Status runCopy(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &copy = static_cast<const CopyDetail &>(*inst.detail);
  BlockRef block = BlockRef::of(frame, copy.block);
  Handle handle =
      copy.id ? Handle::of(copy.handle.isRead(), frame.get<uint32_t>(*copy.id)) : copy.handle;
  auto *setId = handle.isRead() ? ttl_hw_noc_async_read_set_trid : ttl_hw_noc_async_write_set_trid;
  if (hw::Status status = setId(&frame.thread, handle.id()); status != hw::Status::Ok)
    return status;
  int64_t pages = llvm::product_of(copy.sizes);
  for (int64_t number = 0; number < pages; ++number) {
    int64_t page = 0, rest = number, stride = 1;
    for (size_t i = copy.sizes.size(); i-- > 0;) {
      page += (frame.get<int64_t>(copy.starts[i]) + rest % copy.sizes[i]) * stride;
      rest /= copy.sizes[i];
      stride *= copy.stored[i];
    }
    uint32_t address = block.address(frame, pageOfBlock(frame, copy, number));
    if (hw::Status status = transferPage(frame, copy, page, address); status != hw::Status::Ok)
      return status;
  }
  return inst.finish(frame, handle.bits);
}

static llvm::Error copy(ttl::CopyOp op, FunctionCompiler &compiler) {
  if (op.isSend() || op.isReceive())
    return emitPipeCopy(op, compiler);
  Value slice = op.isRead() ? op.getSrc() : op.getDst();
  Value block = op.isRead() ? op.getDst() : op.getSrc();
  auto index = slice.getDefiningOp<ttl::IndexAccessorOp>();
  if (!index || !isa<ttl::BlockType>(block.getType()))
    return errorAt(op, "a copy must be between a block and a part that ttl.index_accessor makes");
  RankedTensorType tensor = index.getResult().getType().getTensor();
  auto detail = std::make_unique<CopyDetail>();
  detail->handle = Handle::of(op.isRead(), op.getTransferId());
  if (op.getId())
    detail->id = compiler.slotOf(op.getId());
  if (op.getPart()) {
    detail->part = compiler.slotOf(op.getPart());
    detail->whole = op.getWholeExtents();
  }
  detail->access = compiler.slotOf(index.getAccessor());
  detail->block = compiler.slotOf(block);
  detail->sizes.assign(index.getResult().getType().getSizes());
  detail->stored = ttl::getStoredShape(index.getResult().getType());
  for (Value start : index.getIndices())
    detail->starts.push_back(compiler.slotOf(start));
  if (!ttl::hasWholePages(index.getResult().getType())) {
    detail->column = detail->starts.back();
    detail->elementBytes = ttl::getElementBytes(tensor);
    detail->rowBytes = static_cast<int32_t>(detail->sizes.back() * detail->elementBytes);
  }
  // A row-major tensor is copied by rows, so its innermost dimension does not number any.
  if (!cast<ttl::TensorEncodingAttr>(tensor.getEncoding()).getLayout().isTiled()) {
    detail->sizes.pop_back();
    detail->stored.pop_back();
    detail->starts.pop_back();
  }
  compiler.emit(op, runCopy, {}).detail = std::move(detail);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Waits
//===--------------------------------------------------------------------------===//

static hw::Status runWait(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  if (auto bits = inst.operand<uint64_t>(frame, 0); isPipeHandle(bits))
    return waitForPipe(inst, frame, bits);
  hw::KernelThread *thread = &frame.thread;
  Handle handle{inst.operand<uint32_t>(frame, 0)};
  if (!handle.hasId())
    return handle.isRead() ? ttl_hw_noc_async_read_barrier(thread)
                           : ttl_hw_noc_async_write_barrier(thread);
  return handle.isRead() ? ttl_hw_noc_async_read_barrier_with_trid(thread, handle.id())
                         : ttl_hw_noc_async_write_barrier_with_trid(thread, handle.id());
}

static llvm::Error wait(Operation *op, FunctionCompiler &compiler) {
  compiler.emit(op, runWait);
  return llvm::Error::success();
}

static llvm::Error barrier(ttl::DMABarrierOp op, FunctionCompiler &compiler) {
  if (op.getId()) {
    compiler.emit(op,
                  op.waitsForReads() ? apiHandler<ttl_hw_noc_async_read_barrier_with_trid>
                                     : apiHandler<ttl_hw_noc_async_write_barrier_with_trid>,
                  {compiler.slotOf(op.getId())});
    return llvm::Error::success();
  }
  if (op.waitsForReads())
    compiler.emit(op, apiHandler<ttl_hw_noc_async_read_barrier>, {});
  if (op.waitsForWrites())
    compiler.emit(op, apiHandler<ttl_hw_noc_async_write_barrier>, {});
  return llvm::Error::success();
}

void interp::addTransferOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<TensorAccessorOp, accessor>();
  table.add<IndexAccessorOp, indexAccessor>();
  table.add<ttl::CopyOp, copy>();
  table.add<WaitOp>(wait);
  table.add<DMABarrierOp, barrier>();
}
