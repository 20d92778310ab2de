//===- DSTSimulator.cpp - what a compute thread packs, symbolically -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/passes/dst/DSTSimulator.h"

#include "passes/common/Threads.h"
#include "passes/dst/TileFacts.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::test;

uint64_t test::hashOf(StringRef name, ArrayRef<uint64_t> operands) {
  uint64_t hash = 1469598103934665603u;
  auto add = [&](uint64_t value) { hash = (hash ^ value) * 1099511628211u + (hash >> 29); };
  for (char c : name)
    add(static_cast<unsigned char>(c));
  for (uint64_t operand : operands)
    add(operand);
  return hash;
}

uint64_t test::inputTile(unsigned argument, int64_t number) {
  return hashOf("input", {argument, static_cast<uint64_t>(number)});
}

uint64_t test::freshTile() { return fillTile(APFloat(0.0f)); }

uint64_t test::fillTile(APFloat value) {
  return hashOf("fill", {value.bitcastToAPInt().getZExtValue()});
}

void DSTSimulator::fail(Operation &op, const Twine &what) {
  if (error.empty())
    error = (op.getName().getStringRef() + ": " + what).str();
}

DSTSimulator::Register &DSTSimulator::registerOf(Operation &op, int64_t index) {
  if (index < 0 || index >= capacity) {
    fail(op, "register " + Twine(index) + " of " + Twine(capacity));
    return registers[0];
  }
  return registers[index];
}

uint64_t DSTSimulator::read(Operation &op, Value tile) {
  if (!inMath && !inPack)
    fail(op, "outside a section");
  Register &reg = registerOf(op, ttl::getRegister(tile).value_or(-1));
  if (!reg.written)
    fail(op, "reads a register that nobody wrote");
  return reg.tile;
}

void DSTSimulator::write(Operation &op, uint64_t tile) {
  if (!inMath)
    fail(op, "computes outside a section");
  registerOf(op, ttl::getRegister(op.getResult(0)).value_or(-1)) = {tile, true};
}

// Returns null for an input, which this thread never fills, and an output, which it never reads.
DSTSimulator::Ring *DSTSimulator::ringOf(Value buffer) {
  auto isUsedBy = [&](auto isKind) { return llvm::any_of(buffer.getUsers(), isKind); };
  if (!isUsedBy([](Operation *op) { return isa<ttl::CBWaitOp>(op); }) ||
      !isUsedBy([](Operation *op) { return isa<ttl::CBReserveOp>(op); }))
    return nullptr;
  Ring &ring = rings[buffer];
  auto type = cast<ttl::CircularBufferType>(buffer.getType());
  ring.pages.resize(type.getPagesPerBlock() * type.getBufferFactor());
  return &ring;
}

// As on the device, the number of the tile is added to the front's address without wrapping.
uint64_t *DSTSimulator::pageIn(Ring &ring, Value block, int64_t number) {
  Operation *acquire = acquireOf(block);
  bool reserved = isReserved(acquire);
  auto at = block.getDefiningOp<ttl::BlockAtOp>();
  int64_t size = ring.pages.size(), front = (reserved ? ring.pushed : ring.popped) % size;
  int64_t page = front + (at ? index(at.getPages()) : 0) + number;
  int64_t held = reserved ? ring.reserved : ring.waited;
  if (page >= 0 && page < size && (page - front + size) % size < held)
    return &ring.pages[page];
  fail(*acquire, "page " + Twine(page) + " of " + Twine(size) + " is not held");
  return &ring.pages[0];
}

void DSTSimulator::runProtocol(Operation &op) {
  Value buffer =
      bufferValueOf(isa<ttl::CBPopOp, ttl::CBPushOp>(op) ? op.getOperand(0) : op.getResult(0));
  Ring *ring = ringOf(buffer);
  if (!ring)
    return;
  int64_t pages = cast<ttl::CircularBufferType>(buffer.getType()).getPagesPerBlock();
  int64_t size = ring->pages.size();
  if (auto reserve = dyn_cast<ttl::CBReserveOp>(op)) {
    ring->reserved = reserve.getOutstanding().value_or(1) * pages;
    if (ring->pushed - ring->popped + ring->reserved > size)
      fail(op, "never ends");
  } else if (auto wait = dyn_cast<ttl::CBWaitOp>(op)) {
    ring->waited = wait.getOutstanding().value_or(1) * pages;
    if (ring->pushed - ring->popped < ring->waited)
      fail(op, "never ends");
  } else if (isa<ttl::CBPushOp>(op)) {
    ring->pushed += pages;
    ring->reserved -= pages;
  } else {
    ring->popped += pages;
    ring->waited -= pages;
  }
  if (ring->reserved < 0 || ring->waited < 0)
    fail(op, "releases more than is held");
}

uint64_t DSTSimulator::tileIn(Value block, int64_t number) {
  Value buffer = bufferValueOf(block);
  if (Ring *ring = ringOf(buffer))
    return *pageIn(*ring, block, number);
  return inputTile(cast<BlockArgument>(buffer).getArgNumber(), number);
}

uint64_t DSTSimulator::packed(unsigned argument, int64_t number) const {
  for (auto &[key, tile] : stored)
    if (key.second == number && cast<BlockArgument>(key.first).getArgNumber() == argument)
      return tile;
  return 0;
}

void DSTSimulator::runPack(Value tile, Value block, int64_t number) {
  if (!inPack)
    fail(*tile.getDefiningOp(), "packed before the section is committed");
  Value buffer = bufferValueOf(block);
  Ring *ring = ringOf(buffer);
  uint64_t &page = ring ? *pageIn(*ring, block, number) : stored[{buffer, number}];
  page = read(*tile.getDefiningOp(), tile);
}

// Computes an operation on registers from what the registers hold now, whatever they should hold
// according to the IR.
void DSTSimulator::runTileOp(Operation &op) {
  SmallVector<uint64_t> operands;
  for (Value operand : op.getOperands())
    operands.push_back(read(op, operand));
  Value inPlace = inPlaceOperand(&op);
  if (inPlace && ttl::getRegister(inPlace) != ttl::getRegister(op.getResult(0)))
    fail(op, "is not in place");
  if (needsPair(&op) &&
      *ttl::getRegister(op.getOperand(1)) != *ttl::getRegister(op.getOperand(0)) + 1)
    fail(op, "has its mask elsewhere than after its data");
  write(op, hashOf(op.getName().getStringRef(), operands));
}

void DSTSimulator::runOp(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      numbers[constant] = value.getInt();
  } else if (auto add = dyn_cast<arith::AddIOp>(op)) {
    numbers[add] = index(add.getLhs()) + index(add.getRhs());
  } else if (auto mul = dyn_cast<arith::MulIOp>(op)) {
    numbers[mul] = index(mul.getLhs()) * index(mul.getRhs());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (int64_t i = index(loop.getLowerBound()); i < index(loop.getUpperBound());
         i += index(loop.getStep())) {
      numbers[loop.getInductionVar()] = i;
      runBlock(*loop.getBody());
    }
  } else if (auto load = dyn_cast<ttl::GetTileOp>(op)) {
    write(op, tileIn(load.getBlock(), index(load.getIndex())));
  } else if (isa<ttl::CopyDestValuesOp>(op)) {
    write(op, read(op, op.getOperand(0)));
  } else if (auto fill = dyn_cast<ttl::TileFillOp>(op)) {
    FloatAttr value;
    matchPattern(fill.getValue(), m_Constant(&value));
    write(op, fillTile(value.getValue()));
  } else if (auto fresh = dyn_cast<ttl::FreshTileOp>(op)) {
    Register &reg = registerOf(op, *fresh.getDstIdx());
    if (reg.written)
      fail(op, "somebody wrote the register");
    reg = {freshTile(), true};
  } else if (auto matmul = dyn_cast<ttl::MatmulTilesOp>(op)) {
    uint64_t into = read(op, matmul.getInto());
    registers[*ttl::getRegister(matmul.getInto())].tile =
        hashOf("matmul", {tileIn(matmul.getLhs(), index(matmul.getLhsIndex())),
                          tileIn(matmul.getRhs(), index(matmul.getRhsIndex())), into});
  } else if (auto pack = dyn_cast<ttl::PackTileOp>(op)) {
    runPack(pack.getTile(), pack.getBlock(), index(pack.getIndex()));
  } else if (auto packs = dyn_cast<ttl::PackTileBlockOp>(op)) {
    for (auto [i, tile] : llvm::enumerate(packs.getTiles()))
      runPack(tile, packs.getBlock(), index(packs.getIndex()) + i);
  } else if (isa<ttkernel::TileRegsAcquireOp>(op)) {
    registers.assign(capacity, {});
    inMath = true;
    ++numSections;
  } else if (isa<ttkernel::TileRegsCommitOp>(op)) {
    inMath = false;
  } else if (isa<ttkernel::TileRegsWaitOp>(op)) {
    inPack = true;
  } else if (isa<ttkernel::TileRegsReleaseOp>(op)) {
    inPack = false;
  } else if (isa<ttcore::TileOpInterface>(op)) {
    runTileOp(op);
  } else if (isa<ttl::CBWaitOp, ttl::CBReserveOp, ttl::CBPopOp, ttl::CBPushOp>(op)) {
    runProtocol(op);
  } else if (!isa<ttl::BlockAtOp, scf::YieldOp, func::ReturnOp>(op)) {
    fail(op, "is not known");
  }
}

void DSTSimulator::runBlock(Block &block) {
  for (Operation &op : block)
    runOp(op);
}

std::string DSTSimulator::run(func::FuncOp function) {
  runBlock(function.getBody().front());
  return error;
}
