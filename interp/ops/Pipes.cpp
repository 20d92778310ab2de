//===- Pipes.cpp - rules for sends and semaphores -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rules for lowered pipes and semaphores. Semaphores, counters and slots are L1
// addresses, which are the same on every node.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/BlockPages.h"
#include "interp/ops/TileRules.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/PipeNets.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Addresses and tables
//===--------------------------------------------------------------------------===//

// Computes the address of an element. Operands: address of element 0, index, bytes of
// an element.
static hw::Status runElement(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, static_cast<uint32_t>(inst.operand<int64_t>(frame, 0) +
                                                  inst.operand<int64_t>(frame, 1) *
                                                      inst.operand<int64_t>(frame, 2)));
}

static void emitElement(Operation *op, int64_t bytes, FunctionCompiler &compiler) {
  compiler.emit(op, runElement,
                {compiler.slotOf(op->getOperand(0)), compiler.slotOf(op->getOperand(1)),
                 compiler.constantSlot(Slot::of(bytes))});
}

static llvm::Error landingSlot(ttl::LandingSlotOp op, FunctionCompiler &compiler) {
  emitElement(op, op.getLanding().getType().getSlotBytes(), compiler);
  return llvm::Error::success();
}

static llvm::Error counter(ttl::CounterOp op, FunctionCompiler &compiler) {
  emitElement(op, compiler.thread().arch.l1Alignment, compiler);
  return llvm::Error::success();
}

// Returns the address of a slot. Operands: buffer index, number of the slot (taken modulo the size
// of the ring), number of pages of a block.
static hw::Status runBufferSlot(const Instruction &inst, Frame &frame) {
  const hw::CircularBuffer &ring = frame.thread.buffers[inst.operand<int32_t>(frame, 0)];
  int64_t page = inst.operand<int64_t>(frame, 1) * inst.operand<int64_t>(frame, 2) % ring.numPages;
  return inst.finish(frame, static_cast<uint32_t>(ring.address + page * ring.pageBytes));
}

static llvm::Error bufferSlot(ttl::BufferSlotOp op, FunctionCompiler &compiler) {
  int64_t pages = op.getCb().getType().getPagesPerBlock();
  compiler.emit(op, runBufferSlot,
                {compiler.slotOf(op.getCb()), compiler.slotOf(op.getIndex()),
                 compiler.constantSlot(Slot::of(pages))});
  return llvm::Error::success();
}

// Reads a value of a table. Operands: number of the argument at which the table begins, index.
static hw::Status runNodeValue(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  int64_t index = inst.operand<int64_t>(frame, 0) + inst.operand<int64_t>(frame, 1);
  uint32_t value = ttl_hw_get_arg_val(&frame.thread, static_cast<int32_t>(index));
  return inst.finish(frame, int64_t(static_cast<int32_t>(value)));
}

static llvm::Error nodeValue(Operation *op, FunctionCompiler &compiler) {
  compiler.emit(op, runNodeValue);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Sends and receives
//===--------------------------------------------------------------------------===//

static uint64_t nocAddress(Frame &frame, int64_t x, int64_t y, uint32_t address) {
  hw::KernelThread *thread = &frame.thread;
  return ttl_hw_get_noc_addr(
      thread, ttl_hw_convert_logical_x_to_translated(thread, static_cast<int32_t>(x)),
      ttl_hw_convert_logical_y_to_translated(thread, static_cast<int32_t>(y)), address);
}

static uint64_t nocRectangle(Frame &frame, ArrayRef<int64_t> corners, uint32_t address) {
  hw::KernelThread *thread = &frame.thread;
  auto x = [&](int64_t value) {
    return ttl_hw_convert_logical_x_to_translated(thread, static_cast<int32_t>(value));
  };
  auto y = [&](int64_t value) {
    return ttl_hw_convert_logical_y_to_translated(thread, static_cast<int32_t>(value));
  };
  return ttl_hw_get_noc_multicast_addr(thread, x(corners[0]), y(corners[1]), x(corners[2]),
                                       y(corners[3]), address);
}

namespace {
// A transfer of a block's pages to or from a landing slot.
struct SlotTransfer {
  BlockPages pages;
  SlotNumber block, slot;
  std::optional<SlotNumber> ring; // index of the buffer that has the slot

  static SlotTransfer of(Value block, Value slot, FunctionCompiler &compiler) {
    SlotTransfer transfer{BlockPages::of(block), compiler.slotOf(block), compiler.slotOf(slot),
                          std::nullopt};
    if (auto direct = slot.getDefiningOp<ttl::BufferSlotOp>())
      transfer.ring = compiler.slotOf(direct.getCb());
    return transfer;
  }

  // Calls `move(address in the block, address in the slot, bytes)` for each piece.
  template <typename MoveFn> hw::Status forEachPiece(Frame &frame, MoveFn move) const {
    BlockRef ref = BlockRef::of(frame, block);
    uint32_t inSlot =
        ring ? frame.thread.buffers[frame.get<int32_t>(*ring)].pageBytes : pages.bytes;
    return pages.forEachPiece(
        ref.buffer(frame).pageBytes, inSlot, [&](uint32_t from, uint32_t to, uint32_t bytes) {
          return move(ref.address(frame, 0) + from, frame.get<uint32_t>(slot) + to,
                      static_cast<int32_t>(bytes));
        });
  }
};

struct TransferDetail : Detail {
  SlotTransfer transfer;
};
} // namespace

// Operands: x and y of the destination.
static hw::Status runSend(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const TransferDetail &>(*inst.detail);
  auto x = inst.operand<int64_t>(frame, 0), y = inst.operand<int64_t>(frame, 1);
  return detail.transfer.forEachPiece(frame, [&](uint32_t from, uint32_t to, int32_t bytes) {
    return ttl_hw_noc_async_write(&frame.thread, from, nocAddress(frame, x, y, to), bytes);
  });
}

static void emitTransfer(Operation *op, Handler run, ArrayRef<SlotNumber> operands,
                         SlotTransfer transfer, FunctionCompiler &compiler) {
  auto detail = std::make_unique<TransferDetail>();
  detail->transfer = transfer;
  compiler.emit(op, run, operands).detail = std::move(detail);
}

static llvm::Error send(ttl::SendOp op, FunctionCompiler &compiler) {
  emitTransfer(op, runSend, {compiler.slotOf(op.getX()), compiler.slotOf(op.getY())},
               SlotTransfer::of(op.getSrc(), op.getDst(), compiler), compiler);
  return llvm::Error::success();
}

namespace {
// A range of nodes: slots with its corners and with its number of nodes.
struct RangeDetail : Detail {
  SmallVector<SlotNumber> range;
  bool loopback = false;

  uint64_t address(Frame &frame, uint32_t local) const {
    SmallVector<int64_t, 4> corners;
    for (unsigned i = 0; i < 4; ++i)
      corners.push_back(frame.get<int64_t>(range[i]));
    return nocRectangle(frame, corners, local);
  }
  int32_t dests(Frame &frame) const { return frame.get<int32_t>(range[4]); }
};

struct MulticastDetail : RangeDetail {
  SlotTransfer transfer;
};
} // namespace

static hw::Status runSendMulticast(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const MulticastDetail &>(*inst.detail);
  auto *write = detail.loopback ? ttl_hw_noc_async_write_multicast_loopback_src
                                : ttl_hw_noc_async_write_multicast;
  return detail.transfer.forEachPiece(frame, [&](uint32_t from, uint32_t to, int32_t bytes) {
    return write(&frame.thread, from, detail.address(frame, to), bytes, detail.dests(frame));
  });
}

static llvm::Error sendMulticast(ttl::SendMulticastOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<MulticastDetail>();
  for (Value value : {op.getX0(), op.getY0(), op.getX1(), op.getY1(), op.getNumDests()})
    detail->range.push_back(compiler.slotOf(value));
  detail->loopback = op.getLoopback();
  detail->transfer = SlotTransfer::of(op.getSrc(), op.getDst(), compiler);
  compiler.emit(op, runSendMulticast, {}).detail = std::move(detail);
  return llvm::Error::success();
}

static hw::Status runReceive(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const TransferDetail &>(*inst.detail);
  return detail.transfer.forEachPiece(frame, [&](uint32_t to, uint32_t from, int32_t bytes) {
    uint64_t source = nocAddress(frame, frame.thread.x, frame.thread.y, from);
    return ttl_hw_noc_async_read(&frame.thread, source, to, bytes);
  });
}

static llvm::Error receive(ttl::ReceiveOp op, FunctionCompiler &compiler) {
  emitTransfer(op, runReceive, {}, SlotTransfer::of(op.getDst(), op.getSrc(), compiler), compiler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

namespace {
// The node of a remote semaphore. `core`: slots of its coordinates.
struct RemoteDetail : RangeDetail {
  SmallVector<SlotNumber> core;
  SmallVector<int64_t> grid;
  GridLayout layout;
  bool cores = false;
  SmallVector<PipePart> parts; // parts of a range of nodes that is known at compile time
  SlotNumber value = 0;
  SlotNumber scratch = 0; // slot with the address of the thread's scratch word
  bool fromScratch = false;
};
} // namespace

static hw::Status remoteAddress(const Instruction &inst, Frame &frame, const RemoteDetail &remote,
                                uint32_t local, uint64_t &address) {
  SmallVector<int64_t, 4> coords;
  for (SlotNumber slot : remote.core)
    coords.push_back(frame.get<int64_t>(slot));
  int64_t x = coords[0], y = coords.back();
  if (!remote.cores) {
    bool flat = coords.size() != remote.grid.size();
    int64_t nodes = remote.layout.numNodes;
    int64_t node = 0;
    for (auto [dim, coord] : llvm::enumerate(coords)) {
      int64_t bound = flat ? nodes : remote.grid[dim];
      if (coord < 0 || coord >= bound)
        return programFault(inst, frame, static_cast<int32_t>(hw::ProgramFault::Assert),
                            ("the node of a remote semaphore lies outside the grid, in dimension " +
                             std::to_string(dim))
                                .c_str());
      node = node * bound + coord;
    }
    std::tie(x, y) = coreOfNode(remote.grid, remote.layout, node);
  }
  address = nocAddress(frame, x, y, local);
  return hw::Status::Ok;
}

static llvm::Expected<std::unique_ptr<RemoteDetail>>
remoteDetail(Operation *user, Value semaphore, Value value, FunctionCompiler &compiler) {
  auto detail = std::make_unique<RemoteDetail>();
  const ThreadSource &thread = compiler.thread();
  detail->grid = thread.grid;
  detail->layout = layoutGrid(thread.grid, thread.arch);
  detail->value = compiler.slotOf(value);
  if (auto one = semaphore.getDefiningOp<ttl::GetRemoteSemaphoreOp>()) {
    for (Value coord : one.getCore())
      detail->core.push_back(compiler.slotOf(coord));
    detail->cores = one.getCores();
    return detail;
  }
  auto range = semaphore.getDefiningOp<ttl::GetRemoteMulticastSemaphoreOp>();
  if (!range)
    return errorAt(user, "other nodes' semaphores cannot be passed through loops or branches");
  detail->loopback = range.getLoopback();
  for (Value corner : range.getCorners())
    detail->range.push_back(compiler.slotOf(corner));
  if (!detail->range.empty())
    return detail;
  auto grid = ttcore::GridAttr::get(semaphore.getContext(), thread.grid);
  SmallVector<int64_t> nodes;
  if (std::optional<ArrayAttr> slices = range.getCoreRange())
    nodes = ttl::nodesOfRange(grid, llvm::to_vector(slices->getAsRange<ttl::SliceAttr>()));
  else
    nodes = llvm::to_vector(llvm::seq<int64_t>(0, detail->layout.numNodes));
  detail->parts = partsOf(nodes, /*sender=*/0, thread.grid, detail->layout);
  return detail;
}

static Value localOf(Value semaphore) {
  Operation *op = semaphore.getDefiningOp();
  return isa_and_present<ttl::GetRemoteSemaphoreOp, ttl::GetRemoteMulticastSemaphoreOp>(op)
             ? op->getOperand(0)
             : semaphore;
}

static llvm::Error remoteReference(Operation *, FunctionCompiler &) {
  return llvm::Error::success();
}

static hw::Status setPart(Frame &frame, const PipePart &part, uint32_t word, uint32_t target) {
  hw::KernelThread *thread = &frame.thread;
  if (!part.multicast)
    return ttl_hw_noc_semaphore_set_remote(thread, word,
                                           nocAddress(frame, part.x0, part.y0, target));
  bool inside =
      thread->x >= part.x0 && thread->x <= part.x1 && thread->y >= part.y0 && thread->y <= part.y1;
  auto *set =
      inside ? ttl_hw_noc_semaphore_set_multicast_loopback_src : ttl_hw_noc_semaphore_set_multicast;
  return set(thread, word, nocRectangle(frame, {part.x0, part.y0, part.x1, part.y1}, target),
             static_cast<int32_t>(part.dests));
}

static hw::Status sendWord(const Instruction &inst, Frame &frame, const RemoteDetail &remote,
                           uint32_t word, uint32_t target) {
  if (!remote.core.empty()) {
    uint64_t to = 0;
    if (hw::Status status = remoteAddress(inst, frame, remote, target, to);
        status != hw::Status::Ok)
      return status;
    return ttl_hw_noc_semaphore_set_remote(&frame.thread, word, to);
  }
  if (remote.range.empty()) {
    for (const PipePart &part : remote.parts)
      if (hw::Status status = setPart(frame, part, word, target); status != hw::Status::Ok)
        return status;
    return hw::Status::Ok;
  }
  auto *set = remote.loopback ? ttl_hw_noc_semaphore_set_multicast_loopback_src
                              : ttl_hw_noc_semaphore_set_multicast;
  return set(&frame.thread, word, remote.address(frame, target), remote.dests(frame));
}

// Operand: the semaphore's address, which is the same on every node.
static hw::Status runRemoteSet(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &remote = static_cast<const RemoteDetail &>(*inst.detail);
  auto target = inst.operand<uint32_t>(frame, 0);
  auto word = frame.get<uint32_t>(remote.scratch);
  hw::Status status = hw::Status::Ok;
  if (!remote.fromScratch)
    status = ttl_hw_noc_semaphore_set(&frame.thread, word, frame.get<uint32_t>(remote.value));
  if (status == hw::Status::Ok)
    status = sendWord(inst, frame, remote, word, target);
  if (status == hw::Status::Ok && !remote.fromScratch)
    status = ttl_hw_noc_async_writes_flushed(&frame.thread);
  return status;
}

static llvm::Error semaphoreSet(ttl::SemaphoreSetOp op, FunctionCompiler &compiler) {
  if (!op.getSemaphore().getType().getIsRemote()) {
    compiler.emit(op, apiHandler<ttl_hw_noc_semaphore_set>,
                  {compiler.slotOf(op.getSemaphore()), compiler.slotOf(op.getValue())});
    return llvm::Error::success();
  }
  llvm::Expected<std::unique_ptr<RemoteDetail>> remote =
      remoteDetail(op, op.getSemaphore(), op.getValue(), compiler);
  if (!remote)
    return remote.takeError();
  std::unique_ptr<RemoteDetail> detail = std::move(*remote);
  detail->scratch = op.getScratch()
                        ? compiler.slotOf(op.getScratch())
                        : compiler.constantSlot(Slot::of(compiler.thread().scratchWord));
  detail->fromScratch = op.getFromScratch();
  compiler.emit(op, runRemoteSet, {compiler.slotOf(localOf(op.getSemaphore()))}).detail =
      std::move(detail);
  return llvm::Error::success();
}

static hw::Status runIncrement(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &remote = static_cast<const RemoteDetail &>(*inst.detail);
  uint64_t to = 0;
  if (hw::Status status = remoteAddress(inst, frame, remote, inst.operand<uint32_t>(frame, 0), to);
      status != hw::Status::Ok)
    return status;
  return ttl_hw_noc_semaphore_inc(&frame.thread, to, frame.get<uint32_t>(remote.value));
}

static llvm::Error semaphoreInc(ttl::SemaphoreIncOp op, FunctionCompiler &compiler) {
  llvm::Expected<std::unique_ptr<RemoteDetail>> remote =
      remoteDetail(op, op.getSemaphore(), op.getValue(), compiler);
  if (!remote)
    return remote.takeError();
  compiler.emit(op, runIncrement, {compiler.slotOf(localOf(op.getSemaphore()))}).detail =
      std::move(*remote);
  return llvm::Error::success();
}

namespace {
// A wait for one of several words: slots with their addresses and with the value each must have.
struct WaitAnyDetail : Detail {
  SmallVector<SlotNumber> addresses, values;
};
} // namespace

// Operand: the number of the word that is tested first.
static hw::Status runWaitAny(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const WaitAnyDetail &>(*inst.detail);
  SmallVector<uint32_t> addresses, values;
  for (auto [address, value] : llvm::zip(detail.addresses, detail.values)) {
    addresses.push_back(frame.get<uint32_t>(address));
    values.push_back(frame.get<uint32_t>(value));
  }
  uint32_t place = 0;
  hw::Status status = ttl_hw_semaphore_wait_any(&frame.thread, addresses.data(), values.data(),
                                                static_cast<int32_t>(addresses.size()),
                                                inst.operand<int32_t>(frame, 0), &place);
  frame.set(inst.result, int64_t(place));
  return status;
}

static llvm::Error emitWaitAny(Operation *op, ValueRange addresses, ValueRange values, Value start,
                               FunctionCompiler &compiler) {
  auto detail = std::make_unique<WaitAnyDetail>();
  for (auto [address, value] : llvm::zip(addresses, values)) {
    detail->addresses.push_back(compiler.slotOf(address));
    detail->values.push_back(compiler.slotOf(value));
  }
  compiler.emit(op, runWaitAny, {compiler.slotOf(start)}).detail = std::move(detail);
  return llvm::Error::success();
}

static llvm::Error waitAnyWord(ttl::SemaphoreWaitAnyOp op, FunctionCompiler &compiler) {
  return emitWaitAny(op, op.getSemaphores(), op.getValues(), op.getStart(), compiler);
}

static llvm::Error waitAnyAddress(ttkernel::SemaphoreWaitAnyOp op, FunctionCompiler &compiler) {
  return emitWaitAny(op, op.getAddresses(), op.getValues(), op.getStart(), compiler);
}

void interp::addPipeOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<LandingSlotOp, landingSlot>();
  table.add<BufferSlotOp, bufferSlot>();
  table.add<CounterOp, counter>();
  table.add<NodeValueOp>(nodeValue);
  table.add<SendOp, send>();
  table.add<SendMulticastOp, sendMulticast>();
  table.add<ReceiveOp, receive>();
  table.add<GetRemoteSemaphoreOp>(remoteReference);
  table.add<GetRemoteMulticastSemaphoreOp>(remoteReference);
  table.add<SemaphoreSetOp, semaphoreSet>();
  table.add<SemaphoreIncOp, semaphoreInc>();
  table.add<SemaphoreWaitEqOp>(callApi<ttl_hw_noc_semaphore_wait>);
  table.add<SemaphoreWaitMinOp>(callApi<ttl_hw_noc_semaphore_wait_min>);
  table.add<SemaphoreWaitAnyOp, waitAnyWord>();
  table.add<ttkernel::SemaphoreWaitAnyOp, waitAnyAddress>();
  table.add<SemaphoreValueOp>(callApi<ttl_hw_load_from_l1>);
}
