//===- NarrowIntegers.cpp - uint16 and uint8 in registers of 32 bits ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/NarrowIntegers.h"

#include "passes/ttkernel/ComputeNeeds.h"

#include "hw/facts/TileOps.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

constexpr int kUInt16 = static_cast<int>(ttcore::DataType::UInt16);
constexpr int kUInt8 = static_cast<int>(ttcore::DataType::UInt8);

// A pack, with the number of its first register and how many it packs.
struct PackCall {
  Operation *call;
  int format;
  int64_t first, count;
};

// One DST section, from tile_regs_acquire on.
class NarrowSection {
public:
  explicit NarrowSection(Operation *acquire) { read(acquire); }

  void convert();

private:
  void read(Operation *acquire);
  void readCall(Operation *call);
  void readPack(Operation *call, Value cb, Value first, int64_t count);
  void convertUnpack(Operation *call);
  void convertPacks();

  SmallVector<Operation *> unpacks; // calls that unpack from buffers of uint16
  SmallVector<PackCall> packs;
  llvm::SmallSet<int, 4> formats; // of all buffers of the section
  bool computes = false;          // whether anything but copies writes registers
  Operation *commit = nullptr;
};

} // namespace

static bool isNarrow(int format) { return format == kUInt16 || format == kUInt8; }

static std::optional<int64_t> constantIn(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

// Returns the buffer of a call that unpacks one tile to a register; null for other calls.
static Value unpackedBuffer(Operation *call) {
  return ttkernel::CallSwitch<Value>(call)
      .Case<ttkernel::CopyTileOp>([](auto copy) { return copy.getCb(); })
      .Case<ttkernel::UnaryBcastOp, ttkernel::TransposeWHTileOp>(
          [](auto read) { return read.getIn(); })
      .Default(Value());
}

//===--------------------------------------------------------------------------===//
// Reading a section
//===--------------------------------------------------------------------------===//

void NarrowSection::readPack(Operation *call, Value cb, Value first, int64_t count) {
  int format = formatOf(cb);
  formats.insert(format);
  if (std::optional<int64_t> number = constantIn(first))
    packs.push_back({call, format, *number, count});
}

void NarrowSection::readCall(Operation *call) {
  if (ttkernel::isCall<ttkernel::TileRegsCommitOp>(call)) {
    commit = call;
  } else if (Value buffer = unpackedBuffer(call)) {
    formats.insert(formatOf(buffer));
    if (formatOf(buffer) == kUInt16)
      unpacks.push_back(call);
  } else if (auto pack = ttkernel::asCall<ttkernel::PackTileOp>(call)) {
    readPack(call, pack.getCb(), pack.getDst(), 1);
  } else if (auto block = ttkernel::asCall<ttkernel::PackTileBlockOp>(call)) {
    readPack(call, block.getCb(), block->getOperand(0),
             constantIn(block->getOperand(2)).value_or(1));
  } else if (std::optional<SetupNeed> need = setupNeedOf(call)) {
    computes |= !ttkernel::isCall<ttkernel::CopyDestValuesOp>(call);
  }
}

void NarrowSection::read(Operation *acquire) {
  for (Operation *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    if (ttkernel::isCall<ttkernel::TileRegsReleaseOp>(op))
      return;
    op->walk([&](Operation *call) { readCall(call); });
  }
}

//===--------------------------------------------------------------------------===//
// Conversions
//===--------------------------------------------------------------------------===//

static void createConversion(OpBuilder &builder, Location loc, hw::TileOp row, Value dst,
                             StringRef when) {
  OperationState state(loc, std::string("ttkernel.") + hw::factsOf(row).call);
  state.addOperands(dst);
  state.addAttribute(when, builder.getUnitAttr());
  ttkernel::createCall(builder, state);
}

// Converts behind a run of unpacks, so that the tiles of the run share an init.
void NarrowSection::convertUnpack(Operation *call) {
  Operation *last = call;
  for (Operation *next = call->getNextNode(); next; next = next->getNextNode()) {
    if (unpackedBuffer(next) || ttkernel::rowOf(next) == hw::TileOp::ToUInt16)
      last = next;
    else if (!ttkernel::hasNoEffects(next) || next->getNumRegions())
      break;
  }
  OpBuilder builder(call->getContext());
  builder.setInsertionPointAfter(last);
  createConversion(builder, call->getLoc(), hw::TileOp::ToUInt16, call->getOperands().back(),
                   kUnpackedAttr);
}

void NarrowSection::convertPacks() {
  llvm::MapVector<int64_t, SmallVector<PackCall *>> byRegister;
  for (PackCall &pack : packs)
    for (int64_t i = 0; i < pack.count; ++i)
      byRegister[pack.first + i].push_back(&pack);
  OpBuilder builder(commit);
  for (auto &[number, users] : byRegister) {
    int format = users.front()->format;
    if (llvm::any_of(users, [&](PackCall *pack) { return pack->format != format; })) {
      for (PackCall *pack : users)
        if (isNarrow(pack->format))
          pack->call->setAttr(kTwoFormatsAttr, builder.getUnitAttr());
      continue;
    }
    if (!isNarrow(format))
      continue;
    Location loc = users.front()->call->getLoc();
    Value dst = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number));
    createConversion(builder, loc, format == kUInt16 ? hw::TileOp::ToUInt16 : hw::TileOp::ToUInt8,
                     dst, kPackedAttr);
  }
}

void NarrowSection::convert() {
  bool isCopy = !computes && formats.size() == 1;
  if (isCopy || !commit || llvm::none_of(formats, isNarrow))
    return;
  for (Operation *call : unpacks)
    convertUnpack(call);
  convertPacks();
}

void ttjit::convertNarrowIntegers(func::FuncOp thread) {
  SmallVector<Operation *> sections;
  thread.walk([&](Operation *op) {
    if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(op))
      sections.push_back(op);
  });
  for (Operation *acquire : sections)
    NarrowSection(acquire).convert();
}
