//===- Host.cpp - prints, signposts, elements, functions of the host ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops of ttl refer to a block by its first page in the ring, ops of ttkernel by buffer and page.
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileShape.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/NumbersText.h"
#include "interp/ops/TileRules.h"

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/IndexUnits.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Prints and signposts
//===--------------------------------------------------------------------------===//

static hw::Status runPrint(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &text = static_cast<const NumbersText &>(*inst.detail);
  return ttl_hw_dprint(&frame.thread, text.format.c_str(), text.kinds.c_str(),
                       text.wordsOf(frame).data());
}

template <typename OpT> static llvm::Error print(OpT op, FunctionCompiler &compiler) {
  compiler.emit(op, runPrint, {}).detail =
      std::make_unique<NumbersText>(op.getFormat(), op.getArguments(), compiler);
  return llvm::Error::success();
}

static hw::Status runPrintBlock(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  return ttl_hw_dprint_block(&frame.thread, block.cb, block.pageNumber(frame, 0), block.reserved);
}

static llvm::Error printBlock(ttl::PrintBlockOp op, FunctionCompiler &compiler) {
  compiler.emit(op, runPrintBlock);
  return llvm::Error::success();
}

static llvm::Error dprintBlock(ttkernel::DPrintBlockOp op, FunctionCompiler &compiler) {
  compiler.emit(op, apiHandler<ttl_hw_dprint_block>,
                {compiler.slotOf(op.getCb()), compiler.slotOf(op.getPage()),
                 compiler.constantSlot(Slot::of(static_cast<int32_t>(op.getReserved())))});
  return llvm::Error::success();
}

static llvm::Error emitPrintTensor(Operation *op, Value accessor, int32_t pages,
                                   RankedTensorType type, FunctionCompiler &compiler) {
  ttl::PrintedTensor tensor = ttl::getPrintedTensor(type);
  auto number = [&](int64_t value) {
    return compiler.constantSlot(Slot::of(static_cast<int32_t>(value)));
  };
  compiler.emit(op, apiHandler<ttl_hw_dprint_tensor>,
                {compiler.slotOf(accessor), number(pages), compiler.constantString(tensor.heading),
                 number(static_cast<int64_t>(tensor.format)), number(tensor.columns)});
  return llvm::Error::success();
}

static llvm::Error printTensor(ttl::PrintTensorOp op, FunctionCompiler &compiler) {
  return emitPrintTensor(op, op.getAccessor(), op.getNumPages(),
                         op.getAccessor().getType().getTensor(), compiler);
}

static llvm::Error dprintTensor(ttkernel::DPrintTensorOp op, FunctionCompiler &compiler) {
  auto type = dyn_cast<RankedTensorType>(op.getTensorType());
  if (!type)
    return errorAt(op, "tensor_type must be a ranked tensor");
  return emitPrintTensor(op, op.getAccessor(), op.getNumPages(), type, compiler);
}

template <typename OpT> static llvm::Error signpost(OpT op, FunctionCompiler &compiler) {
  compiler.emit(op, apiHandler<ttl_hw_signpost>,
                {compiler.constantSlot(Slot::of(static_cast<int32_t>(op.getKind()))),
                 compiler.constantString(op.getName())});
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

static hw::Status runLoad(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  float value = 0;
  hw::Status status = ttl_hw_load_element(&frame.thread, inst.operand<uint32_t>(frame, 0),
                                          inst.operand<int32_t>(frame, 1), &value);
  frame.set(inst.result, value);
  return status;
}

static SlotNumber formatSlot(hw::DataFormat format, FunctionCompiler &compiler) {
  return compiler.constantSlot(Slot::of(static_cast<int32_t>(format)));
}

static hw::DataFormat formatOf(Type format) {
  return ttcore::getDataFormat(*ttcore::getDataTypeOf(format));
}

static llvm::Error loadElement(ttkernel::LoadElementOp op, FunctionCompiler &compiler) {
  compiler.emit(op, runLoad,
                {compiler.slotOf(op.getAddress()), formatSlot(formatOf(op.getFormat()), compiler)});
  return llvm::Error::success();
}

static llvm::Error storeElement(ttkernel::StoreElementOp op, FunctionCompiler &compiler) {
  compiler.emit(op, apiHandler<ttl_hw_store_element>,
                {compiler.slotOf(op.getAddress()), formatSlot(formatOf(op.getFormat()), compiler),
                 compiler.slotOf(op.getValue())});
  return llvm::Error::success();
}

namespace {
// Operands of an access to one element of a block.
struct ElementPlace : Detail {
  SlotNumber block;
  SmallVector<SlotNumber> coords;
  SmallVector<int64_t> extents;
  bool isTiled;
  int64_t datumBytes;

  uint32_t address(const Frame &frame) const;
};
} // namespace

uint32_t ElementPlace::address(const Frame &frame) const {
  SmallVector<int64_t> position;
  for (SlotNumber coord : coords)
    position.push_back(frame.get<int64_t>(coord));
  int64_t page = 0, index = position.back();
  size_t last = position.size() - 1;
  for (size_t dim = 0; dim < position.size(); ++dim) {
    bool inTile = isTiled && dim + 2 >= position.size();
    if (!isTiled && dim == last)
      break;
    int64_t by = inTile ? hw::kTileDim : 1;
    page = page * (extents[dim] / by) + position[dim] / by;
  }
  if (isTiled)
    index = hw::elementIndex(static_cast<int>(position[last - 1] % hw::kTileDim),
                             static_cast<int>(position[last] % hw::kTileDim));
  return BlockRef::of(frame, block).address(frame, page) +
         static_cast<uint32_t>(index * datumBytes);
}

static hw::Status runAddress(const Instruction &inst, Frame &frame) {
  frame.set(inst.operands[0], static_cast<const ElementPlace &>(*inst.detail).address(frame));
  return hw::Status::Ok;
}

// Returns "a block of 'a'", or a shorter text if the op that acquired the block is not known.
static std::string describeObject(Value block) {
  while (auto view = block.getDefiningOp<ttl::BlockAtOp>())
    block = view.getBlock();
  Operation *acquire = block.getDefiningOp();
  if (!isa_and_nonnull<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(acquire))
    return "a block";
  Value buffer = acquire->getOperand(0);
  auto create = buffer.getDefiningOp<ttl::CreateCBOp>();
  std::string name =
      create ? create.getName().str() : getSourceName(buffer.getLoc()).value_or("buffer");
  return "a block of '" + name + "'";
}

// Emits the check of the coordinates. Returns a slot that gets the L1 address of the element.
template <typename OpT> static SlotNumber emitAddress(OpT op, FunctionCompiler &compiler) {
  ttl::CircularBufferType buffer = op.getBlock().getType().getCircularBuffer();
  auto place = std::make_unique<ElementPlace>();
  place->block = compiler.slotOf(op.getBlock());
  place->extents = ttl::getElementExtents(op.getBlock().getType());
  place->isTiled = buffer.isTiled();
  place->datumBytes = hw::datumBits(buffer.getFormat()) / 8;
  std::string block = describeObject(op.getBlock());
  for (auto [dim, coord] : llvm::enumerate(op.getCoords())) {
    auto number = [&](int64_t value) { return compiler.constantSlot(Slot::of(value)); };
    int64_t extent = place->extents[dim];
    StringRef unit = ttl::indexUnit(dim, place->extents.size(), /*isTiled=*/false);
    SlotNumber object =
        compiler.constantString(ttl::describeIndexed(block, /*size=*/1, extent, unit));
    compiler.emit(op, apiHandler<ttl_hw_check_index>,
                  {compiler.slotOf(coord), number(1), number(extent),
                   number(static_cast<int64_t>(dim)), object});
    place->coords.push_back(compiler.slotOf(coord));
  }
  SlotNumber address = compiler.newSlot();
  compiler.emit(op, runAddress, {address}).detail = std::move(place);
  return address;
}

static hw::DataFormat formatOf(Value block) {
  return cast<ttl::BlockType>(block.getType()).getCircularBuffer().getFormat();
}

static llvm::Error elementRead(ttl::ElementReadOp op, FunctionCompiler &compiler) {
  SlotNumber address = emitAddress(op, compiler);
  compiler.emit(op, runLoad, {address, formatSlot(formatOf(op.getBlock()), compiler)});
  return llvm::Error::success();
}

static llvm::Error elementWrite(ttl::ElementWriteOp op, FunctionCompiler &compiler) {
  SlotNumber address = emitAddress(op, compiler);
  compiler.emit(
      op, apiHandler<ttl_hw_store_element>,
      {address, formatSlot(formatOf(op.getBlock()), compiler), compiler.slotOf(op.getValue())});
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Functions that run on the host
//===--------------------------------------------------------------------------===//

namespace {
struct HostCallDetail : Detail {
  std::string name, signature;
  char resultKind = 0;
  SmallVector<SlotNumber> slots;
  bool hasBlocks = false; // a block is one slot (ttl); otherwise two: its buffer and its page
};
} // namespace

static SmallVector<uint32_t> wordsOf(const HostCallDetail &call, const Frame &frame) {
  SmallVector<uint32_t> words;
  for (auto [number, slot] : llvm::enumerate(call.slots)) {
    bool isBlock =
        call.hasBlocks && (call.signature[number] == 'r' || call.signature[number] == 'w');
    if (!isBlock) {
      words.push_back(frame.get<uint32_t>(slot));
      continue;
    }
    BlockRef block = BlockRef::of(frame, slot);
    words.push_back(block.cb);
    words.push_back(static_cast<uint32_t>(block.pageNumber(frame, 0)));
  }
  return words;
}

static hw::Status runCallHost(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &call = static_cast<const HostCallDetail &>(*inst.detail);
  uint32_t result = 0;
  hw::Status status = ttl_hw_call_host(&frame.thread, call.name.c_str(), call.signature.c_str(),
                                       wordsOf(call, frame).data(), call.resultKind, &result);
  if (call.resultKind == 'b')
    result = result != 0;
  if (call.resultKind)
    frame.set(inst.result, result);
  return status;
}

template <typename OpT> static llvm::Error callHost(OpT op, FunctionCompiler &compiler) {
  auto call = std::make_unique<HostCallDetail>();
  call->name = ttkernel::getHostName(op.getFunction(), op.getLibrary());
  call->signature = std::string(op.getSignature());
  call->hasBlocks = std::is_same_v<OpT, ttl::CallHostOp>;
  if (op.getResult() && !op->use_empty())
    call->resultKind = ttl::getNumberKind(op.getResult().getType());
  for (Value argument : op.getArguments())
    call->slots.push_back(compiler.slotOf(argument));
  compiler.emit(op, runCallHost, {}).detail = std::move(call);
  return llvm::Error::success();
}

void interp::addHostOps(OpTable &table) {
  table.add<ttl::PrintOp, print<ttl::PrintOp>>();
  table.add<ttkernel::DPrintOp, print<ttkernel::DPrintOp>>();
  table.add<ttl::PrintBlockOp, printBlock>();
  table.add<ttkernel::DPrintBlockOp, dprintBlock>();
  table.add<ttl::PrintBufferOp>(callApi<ttl_hw_dprint_buffer>);
  table.add<ttkernel::DPrintBufferOp>(callApi<ttl_hw_dprint_buffer>);
  table.add<ttl::PrintTensorOp, printTensor>();
  table.add<ttkernel::DPrintTensorOp, dprintTensor>();
  table.add<ttl::SignpostOp, signpost<ttl::SignpostOp>>();
  table.add<ttkernel::SignpostOp, signpost<ttkernel::SignpostOp>>();
  table.add<ttl::ElementReadOp, elementRead>();
  table.add<ttl::ElementWriteOp, elementWrite>();
  table.add<ttkernel::LoadElementOp, loadElement>();
  table.add<ttkernel::StoreElementOp, storeElement>();
  table.add<ttl::CallHostOp, callHost<ttl::CallHostOp>>();
  table.add<ttkernel::CallHostOp, callHost<ttkernel::CallHostOp>>();
}
