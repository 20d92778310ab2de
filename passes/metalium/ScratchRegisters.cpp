//===- ScratchRegisters.cpp - DST registers for intermediate values -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ScratchRegisters.h"

#include "passes/metalium/IntegerWriter.h"
#include "passes/metalium/Names.h"
#include "passes/metalium/ThreadConverter.h"
#include "passes/ttkernel/RegisterUses.h"

#include "hw/facts/TileOps.h"
#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// Registers of 32 bits that a section has: in a half of DST, and in all of it.
static constexpr unsigned kHalf = 4, kWhole = 8;

static unsigned numScratchOf(Operation *op) {
  if (isIntegerReduction(op))
    return 1;
  if (isIntegerProduct(op))
    return 4;
  std::optional<hw::TileOp> row = ttkernel::rowOf(op);
  bool divides = row == hw::TileOp::DivUInt32 || row == hw::TileOp::ModUInt32;
  return divides && !ttkernel::isInit(op) ? 2 : 0;
}

Operation *tometalium::sectionOf(Operation *op) {
  for (Operation *at = op; at && !isa<func::FuncOp>(at); at = at->getParentOp())
    for (Operation *before = at->getPrevNode(); before; before = before->getPrevNode()) {
      if (ttkernel::isCall<ttkernel::TileRegsCommitOp, ttkernel::TileRegsReleaseOp>(before))
        return nullptr;
      if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(before))
        return before;
    }
  return nullptr;
}

Operation *tometalium::placeInSection(Operation *op, Operation *section) {
  return section->getBlock()->findAncestorOpInBlock(*op);
}

//===--------------------------------------------------------------------------===//
// Registers that are free
//===--------------------------------------------------------------------------===//

// Adds the registers of the calls in `op`. A number that is no constant may be any register that
// the thread has assigned, so it counts as all registers of a half.
static void addUses(Operation *op, llvm::SmallBitVector &used) {
  op->walk([&](Operation *call) {
    RegisterUse use = registersOf(call);
    if (use.written)
      use.reads.push_back(use.written);
    for (Value reg : use.reads) {
      APInt number;
      if (!matchPattern(reg, m_ConstantInt(&number)))
        used.set(0, kHalf);
      else if (number.ult(kWhole))
        used.set(static_cast<unsigned>(number.getZExtValue()));
    }
  });
}

static bool sameNumber(Value a, Value b) {
  APInt left, right;
  return a == b || (matchPattern(a, m_ConstantInt(&left)) &&
                    matchPattern(b, m_ConstantInt(&right)) && left == right);
}

bool tometalium::isWrittenBefore(Operation *op) {
  Operation *section = sectionOf(op);
  if (!section)
    return false;
  Value reg = registersOf(op).written;
  auto writes = [&](Operation *call) {
    Value written = registersOf(call).written;
    bool isOther = written && sameNumber(written, reg) &&
                   ttkernel::declarationOf(call) != ttkernel::declarationOf(op);
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  };
  Operation *place = placeInSection(op, section);
  for (Operation *before = place->getPrevNode(); before != section; before = before->getPrevNode())
    if (before->walk(writes).wasInterrupted())
      return true;
  return place->walk(writes).wasInterrupted();
}

static llvm::SmallBitVector usedIn(Operation *section) {
  llvm::SmallBitVector used(kWhole);
  for (Operation *op = section->getNextNode(); op; op = op->getNextNode()) {
    if (ttkernel::isCall<ttkernel::TileRegsCommitOp>(op))
      break;
    addUses(op, used);
  }
  return used;
}

static SmallVector<unsigned> freeIn(Operation *section, bool fullSync) {
  llvm::SmallBitVector used = usedIn(section);
  SmallVector<unsigned> free;
  for (unsigned reg = 0; reg < (fullSync ? kWhole : kHalf); ++reg)
    if (!used.test(reg))
      free.push_back(reg);
  return free;
}

//===--------------------------------------------------------------------------===//
// The choice
//===--------------------------------------------------------------------------===//

bool tometalium::needsFullSync(func::FuncOp thread) {
  auto result = thread.walk([](Operation *op) {
    unsigned count = numScratchOf(op);
    Operation *section = count ? sectionOf(op) : nullptr;
    bool lacks = section && freeIn(section, /*fullSync=*/false).size() < count;
    return lacks ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

FailureOr<SmallVector<Value, 2>> tometalium::scratchRegisters(Operation *op,
                                                              ThreadConverter &converter) {
  unsigned count = numScratchOf(op);
  Operation *section = sectionOf(op);
  SmallVector<unsigned> free;
  if (section)
    free = freeIn(section, converter.names.fullSync);
  if (free.size() < count)
    return op->emitError("this operation on integers runs on the host only: in C++ it needs ")
           << count << " more DST registers, and its section leaves " << free.size() << " of "
           << (converter.names.fullSync ? kWhole : kHalf)
           << "; with dst_full_sync_en=False, sections leave half of DST";
  SmallVector<Value, 2> registers;
  for (unsigned reg : ArrayRef(free).take_front(count))
    registers.push_back(converter.constant(static_cast<int32_t>(reg), positionOf(op->getLoc())));
  return registers;
}
