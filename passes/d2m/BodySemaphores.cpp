//===- BodySemaphores.cpp - semaphores of d2m.generic -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A semaphore of d2m is one of ttl: a word on each core. Coordinates are (row, column) here and
// (x, y) there, so they are checked here, where a message can name the dimension of the text.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/IndexUnits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

FailureOr<Value> BodyLowering::wordFor(Value number, Operation *user) {
  FailureOr<Value> known = numberFor(number, user);
  if (failed(known))
    return failure();
  return builder.createOrFold<arith::IndexCastOp>(user->getLoc(), builder.getI32Type(), *known);
}

static LogicalResult refuseChips(Operation *op, ValueRange device) {
  if (device.empty())
    return success();
  return op->emitOpError(
      "changes a semaphore of another chip, which is not supported: a module runs "
      "on one chip");
}

FailureOr<Value> BodyLowering::semaphoreFor(Operation *op, Value semaphore) {
  if (Value own = semaphores.lookup(semaphore))
    return own;
  return op->emitOpError("uses a semaphore that is not one of the d2m.generic: add it to "
                         "additionalArgs(..)");
}

// Returns the numbers of a pair (row, column) of the region.
FailureOr<SmallVector<Value>> BodyLowering::pairOf(Operation *op, ValueRange values) {
  if (values.size() != 2 || coordinates.size() != 2)
    return op->emitOpError("must name a core, or a rectangle of cores, by two numbers each, on a "
                           "grid of two dimensions");
  SmallVector<Value> result;
  for (Value value : values) {
    FailureOr<Value> number = numberFor(value, op);
    if (failed(number))
      return failure();
    result.push_back(*number);
  }
  return result;
}

void BodyLowering::checkCore(Location loc, ArrayRef<Value> core) {
  for (auto [dim, number] : llvm::enumerate(core))
    ttl::setIndexUnit(ttl::CheckIndexOp::create(builder, loc, number, /*size=*/1,
                                                generic.getGridShape()[dim], dim,
                                                /*tensor=*/"", /*of_block=*/false),
                      dim == 0 ? "rows" : "columns");
}

// Sets the word of this core and, over the NoC, those of the others in the rectangle.
LogicalResult BodyLowering::setRectangle(d2m::SemaphoreSetOp op, Value own, Value word) {
  FailureOr<SmallVector<Value>> corner = pairOf(op, op.getDstCoreIndex()),
                                extent = pairOf(op, op.getMcastShape());
  if (failed(corner) || failed(extent))
    return failure();
  Location loc = op.getLoc();
  Value one = constant(loc, 1), inside;
  SmallVector<Value> last;
  for (unsigned dim : {0, 1}) {
    Value end = arith::AddIOp::create(builder, loc, (*corner)[dim], (*extent)[dim]);
    last.push_back(arith::SubIOp::create(builder, loc, end, one));
    Value after = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, coordinates[dim],
                                        (*corner)[dim]),
          before =
              arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, coordinates[dim], end),
          both = arith::AndIOp::create(builder, loc, after, before);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, both).getResult() : both;
  }
  checkCore(loc, *corner);
  checkCore(loc, last);
  Value self = arith::SelectOp::create(builder, loc, inside, one, constant(loc, 0));
  Value others = arith::SubIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, (*extent)[0], (*extent)[1]), self);
  ttl::SemaphoreSetOp::create(builder, loc, own, word, Value(), UnitAttr());
  Value any =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, others, constant(loc, 0));
  auto branch = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value range = ttl::GetRemoteMulticastSemaphoreOp::create(
      builder, loc, ttl::SemaphoreType::get(op.getContext(), /*isRemote=*/true), own,
      ValueRange{(*corner)[1], (*corner)[0], last[1], last[0], others}, ArrayAttr(),
      /*loopback=*/UnitAttr());
  ttl::SemaphoreSetOp::create(builder, loc, range, word, Value(), UnitAttr());
  return success();
}

FailureOr<Value> BodyLowering::semaphoreOn(Operation *op, Value own, ValueRange core) {
  FailureOr<SmallVector<Value>> pair = pairOf(op, core);
  if (failed(pair))
    return failure();
  checkCore(op->getLoc(), *pair);
  return ttl::GetRemoteSemaphoreOp::create(
             builder, op->getLoc(), ttl::SemaphoreType::get(op->getContext(), /*isRemote=*/true),
             own, ValueRange{(*pair)[1], (*pair)[0]}, UnitAttr())
      .getResult();
}

LogicalResult BodyLowering::lower(d2m::SemaphoreWaitOp op) {
  FailureOr<Value> own = semaphoreFor(op, op.getSemaphore()), value = wordFor(op.getValue(), op);
  if (failed(own) || failed(value))
    return failure();
  ttl::SemaphoreWaitEqOp::create(builder, op.getLoc(), *own, *value);
  if (!op.getResetValue())
    return success();
  FailureOr<Value> reset = wordFor(op.getResetValue(), op);
  if (succeeded(reset))
    ttl::SemaphoreSetOp::create(builder, op.getLoc(), *own, *reset, Value(), UnitAttr());
  return reset;
}

LogicalResult BodyLowering::lower(d2m::SemaphoreSetOp op) {
  FailureOr<Value> own = semaphoreFor(op, op.getSemaphore()), word = wordFor(op.getValue(), op);
  if (failed(own) || failed(word) || failed(refuseChips(op, op.getStartDevice())))
    return failure();
  if (!op.getMcastShape().empty())
    return setRectangle(op, *own, *word);
  FailureOr<Value> target = own;
  if (!op.getDstCoreIndex().empty())
    target = semaphoreOn(op, *own, op.getDstCoreIndex());
  if (succeeded(target))
    ttl::SemaphoreSetOp::create(builder, op.getLoc(), *target, *word, Value(), UnitAttr());
  return target;
}

LogicalResult BodyLowering::lower(d2m::SemaphoreIncOp op) {
  FailureOr<Value> own = semaphoreFor(op, op.getSemaphore()), word = wordFor(op.getValue(), op);
  if (failed(own) || failed(word) || failed(refuseChips(op, op.getStartDevice())))
    return failure();
  if (!op.getMcastShape().empty())
    return op.emitOpError(
        "increments the semaphore of several cores, which is not supported: write "
        "a loop over the cores");
  Value target;
  if (op.getDstCoreIndex().empty()) {
    SmallVector<Value> here(llvm::reverse(coordinates));
    target = ttl::GetRemoteSemaphoreOp::create(
        builder, op.getLoc(), ttl::SemaphoreType::get(op.getContext(), /*isRemote=*/true), *own,
        here, UnitAttr());
  } else {
    FailureOr<Value> there = semaphoreOn(op, *own, op.getDstCoreIndex());
    if (failed(there))
      return failure();
    target = *there;
  }
  ttl::SemaphoreIncOp::create(builder, op.getLoc(), target, *word);
  return success();
}
