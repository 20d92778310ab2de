//===- TransferLimit.cpp - bounds the transfers of one id ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks a thread in program order and counts, for each id and direction, the packets that may be
// outstanding: the largest number over all paths. Where a loop exceeds the limit, a barrier runs
// once in every N iterations, with the largest N that keeps the limit.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/TransferLimit.h"

#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr int64_t kMostOutstanding = 255;

namespace {

enum Direction { Read, Write };

// Packets with one id in one direction.
struct Count {
  int64_t before = 0;  // those before the first barrier
  int64_t packets = 0; // those that may be outstanding at the end
  bool ends = false;   // whether a barrier on every path waits for what came before
};

class TransferLimiter {
public:
  TransferLimiter(Direction direction, int id, int64_t burstBytes)
      : direction(direction), id(id), burstBytes(burstBytes) {}

  Count visit(Block &block) {
    Count count;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Count inner = op.getNumRegions() ? visitRegions(&op) : visitCall(&op);
      if (inner.before && count.packets + inner.before > kMostOutstanding) {
        OpBuilder builder(&op); // the packets before this op land first
        insertBarrier(builder, op.getLoc());
        count.packets = 0;
        count.ends = true;
      }
      if (!count.ends)
        count.before += inner.before;
      count.packets = inner.ends ? inner.packets : count.packets + inner.packets;
      count.ends |= inner.ends;
    }
    return count;
  }

private:
  Count visitCall(Operation *op);
  Count visitRegions(Operation *op);
  Count visitLoop(scf::ForOp loop);
  Count endEvery(scf::ForOp loop, int64_t packets);
  int64_t packetsOf(Value bytes, Value count = {}) const;
  void insertBarrier(OpBuilder &builder, Location loc) const {
    if (direction == Read)
      ttkernel::createCall<ttkernel::NocAsyncReadBarrierOp>(builder, loc);
    else
      ttkernel::createCall<ttkernel::NocAsyncWriteBarrierOp>(builder, loc);
  }

  Count barrier(Direction wanted, Value trid = {}) const;
  void setId(Direction wanted, Value trid) {
    APInt number;
    if (wanted == direction && matchPattern(trid, m_ConstantInt(&number)))
      current = static_cast<int>(number.getSExtValue());
  }

  Direction direction;
  int id, current = 0; // the id that is counted; the id of the next transfer
  int64_t burstBytes;
};

} // namespace

// Returns the number of packets of a call. An unknown size or count counts as one packet.
int64_t TransferLimiter::packetsOf(Value bytes, Value count) const {
  APInt number;
  int64_t packets = 1;
  if (bytes && matchPattern(bytes, m_ConstantInt(&number)))
    packets = std::max<int64_t>(1, (number.getSExtValue() + burstBytes - 1) / burstBytes);
  if (count && matchPattern(count, m_ConstantInt(&number)))
    packets *= std::max<int64_t>(1, number.getSExtValue());
  return packets;
}

Count TransferLimiter::barrier(Direction wanted, Value trid) const {
  APInt number;
  bool isOurs =
      !trid || (matchPattern(trid, m_ConstantInt(&number)) && number.getSExtValue() == id);
  return Count{0, 0, wanted == direction && isOurs};
}

Count TransferLimiter::visitCall(Operation *op) {
  using namespace ttkernel;
  auto pageBytes = [](Value accessor) {
    auto made = definingCall<TensorAccessorOp>(accessor);
    return made ? made.getPageSize() : Value();
  };
  auto only = [&](Direction wanted, int64_t packets) {
    int64_t ours = direction == wanted && current == id ? packets : 0;
    return Count{ours, ours, false};
  };
  if (!isDeviceCall(op))
    return {};
  return CallSwitch<Count>(op)
      .Case<NocAsyncReadPageOp>(
          [&](auto read) { return only(Read, packetsOf(pageBytes(read.getAccessor()))); })
      .Case<NocAsyncWritePageOp>(
          [&](auto write) { return only(Write, packetsOf(pageBytes(write.getAccessor()))); })
      .Case<NocAsyncReadPagesOp>([&](auto read) {
        return only(Read, packetsOf(pageBytes(read.getAccessor()), read.getCount()));
      })
      .Case<NocAsyncWritePagesOp>([&](auto write) {
        return only(Write, packetsOf(pageBytes(write.getAccessor()), write.getCount()));
      })
      .Case<NocAsyncReadOp, NocAsyncReadRowOp>(
          [&](auto read) { return only(Read, packetsOf(read.getBytes())); })
      .Case<NocAsyncWriteOp, NocAsyncWriteRowOp>(
          [&](auto write) { return only(Write, packetsOf(write.getBytes())); })
      .Case<NocAsyncReadSetTridOp>([&](auto set) {
        setId(Read, set->getOperand(0));
        return Count();
      })
      .Case<NocAsyncWriteSetTridOp>([&](auto set) {
        setId(Write, set->getOperand(0));
        return Count();
      })
      .Case<NocAsyncReadBarrierOp>([&](auto) { return barrier(Read); })
      .Case<NocAsyncWriteBarrierOp>([&](auto) { return barrier(Write); })
      .Case<NocAsyncReadBarrierWithTridOp>(
          [&](auto wait) { return barrier(Read, wait->getOperand(0)); })
      .Case<NocAsyncWriteBarrierWithTridOp>(
          [&](auto wait) { return barrier(Write, wait->getOperand(0)); })
      .Default(Count());
}

Count TransferLimiter::visitRegions(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  Count all;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      Count inner = visit(block);
      all.before = std::max(all.before, inner.before);
      all.packets = std::max(all.packets, inner.packets);
    }
  return all;
}

static std::optional<int64_t> tripCount(scf::ForOp loop) {
  APInt low, high, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return std::nullopt;
  int64_t distance = high.getSExtValue() - low.getSExtValue();
  return std::max<int64_t>(0, (distance + step.getSExtValue() - 1) / step.getSExtValue());
}

Count TransferLimiter::visitLoop(scf::ForOp loop) {
  Count body = visit(*loop.getBody());
  std::optional<int64_t> trips = tripCount(loop);
  if (body.ends && body.packets + body.before > kMostOutstanding) {
    OpBuilder builder(loop.getBody()->getTerminator());
    insertBarrier(builder, loop.getLoc());
    body.packets = 0;
  }
  if (body.packets == 0 || body.ends)
    return {body.before, body.packets, body.ends && trips.value_or(0) > 0};
  if (trips && *trips * body.packets <= kMostOutstanding)
    return {*trips * body.packets, *trips * body.packets, false};
  return endEvery(loop, body.packets);
}

// Inserts a barrier that runs once in as many iterations as the limit allows.
Count TransferLimiter::endEvery(scf::ForOp loop, int64_t packets) {
  OpBuilder builder(loop.getBody()->getTerminator());
  Location loc = loop.getLoc();
  int64_t every = std::max<int64_t>(1, kMostOutstanding / packets);
  Value number =
      builder.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), loop.getLowerBound());
  number = builder.createOrFold<arith::DivSIOp>(loc, number, loop.getStep());
  Type type = number.getType();
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value)).getResult();
  };
  Value divisor = constant(every), last = constant(every - 1);
  Value rest = arith::RemSIOp::create(builder, loc, number, divisor);
  Value ends = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, last);
  auto branch = scf::IfOp::create(builder, loc, ends, /*withElseRegion=*/false);
  OpBuilder inner = branch.getThenBodyBuilder();
  insertBarrier(inner, loc);
  return {every * packets, every * packets, false};
}

void tometalium::limitTransfers(func::FuncOp function, int64_t burstBytes) {
  static constexpr int kNumIds = 16;
  for (Direction direction : {Read, Write})
    for (int id = 0; id < kNumIds; ++id)
      for (Block &block : function.getBody())
        TransferLimiter(direction, id, burstBytes).visit(block);
}
