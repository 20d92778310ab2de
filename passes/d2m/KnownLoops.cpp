//===- KnownLoops.cpp - loops and branches that are known ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tiles are named by numbers that are known at compile time (TileMemrefs.h). So a loop over tiles
// is run while the thread is made: its body is lowered once for each index. A loop that also moves
// blocks stays a loop of the kernel unless its index names tiles.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Which loops
//===--------------------------------------------------------------------------===//

static bool namesTiles(Operation *op) {
  if (isa<memref::SubViewOp, d2m::AcquireDstOp>(op))
    return true;
  Value memref;
  if (isa<memref::LoadOp, affine::AffineLoadOp>(op))
    memref = op->getOperand(0);
  if (isa<memref::StoreOp, affine::AffineStoreOp>(op))
    memref = op->getOperand(1);
  return memref && TileMemrefs::hasTiles(memref.getType());
}

static bool movesBlocks(Operation *op) {
  return isa<d2m::WaitOp, d2m::ReserveOp, d2m::PushOp, d2m::PopOp, d2m::RemoteLoadOp,
             d2m::RemoteStoreOp, d2m::DMAReadOp, d2m::DMAWriteOp, d2m::SemaphoreWaitOp,
             d2m::SemaphoreSetOp, d2m::SemaphoreIncOp>(op);
}

// Returns whether a tile is named by a number that is computed from `index`.
static bool namesTilesWith(Value index) {
  return llvm::any_of(index.getUsers(), [](Operation *user) {
    if (namesTiles(user))
      return true;
    if (user->getNumRegions()) // a bound of a loop, or a condition
      return user
          ->walk([](Operation *inner) {
            return namesTiles(inner) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    return llvm::any_of(user->getResults(), [](Value result) {
      return result.getType().isIntOrIndex() && namesTilesWith(result);
    });
  });
}

bool BodyLowering::isKnownLoop(Operation *loop, Value index) {
  bool tiles = false, moves = false;
  loop->walk([&](Operation *op) {
    tiles |= namesTiles(op);
    moves |= movesBlocks(op);
  });
  return tiles && (!moves || namesTilesWith(index));
}

//===--------------------------------------------------------------------------===//
// Running them
//===--------------------------------------------------------------------------===//

// Makes each name mean the number, tile or block that its value means now.
LogicalResult BodyLowering::bind(ValueRange names, ValueRange values, Operation *user) {
  SmallVector<std::function<void()>> changes;
  for (auto [name, value] : llvm::zip(names, values)) {
    Value to = name;
    if (isNumber(to.getType())) {
      FailureOr<Value> number = numberFor(value, user);
      if (failed(number))
        return failure();
      changes.push_back([this, to, number = *number] { numbers.map(to, number); });
    } else if (isa<ttcore::TileType>(to.getType())) {
      changes.push_back([this, to, tile = tileValues.lookup(value)] { tileValues[to] = tile; });
    } else if (TileMemrefs::hasTiles(to.getType())) {
      changes.push_back([this, to, part = memory.partOf(value)] { memory.name(to, part); });
    } else {
      return user->emitOpError("carries a value that is neither a number nor a tile nor a block of "
                               "tiles: ")
             << to.getType();
    }
  }
  for (const std::function<void()> &change : changes)
    change();
  return success();
}

LogicalResult BodyLowering::lowerAll(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(lower(op)))
      return failure();
  releaseBlocks(&body);
  return success();
}

LogicalResult BodyLowering::runLoop(Operation *loop, Bounds bounds, Value variable,
                                    ValueRange starts, Block::BlockArgListType arguments) {
  std::optional<int64_t> low = knownNumber(bounds.low), high = knownNumber(bounds.high),
                         step = knownNumber(bounds.step);
  if (!low || !high || !step || *step <= 0)
    return loop->emitOpError("has bounds that are not known at compile time, but its body works "
                             "tile by tile: write it for a fixed number of tiles");
  Block &body = loop->getRegion(0).front();
  SmallVector<Value> names(arguments.begin(), arguments.end());
  if (failed(bind(names, starts, loop)))
    return failure();
  for (int64_t index = *low; index < *high; index += *step) {
    numbers.map(variable, constant(loop->getLoc(), index));
    body.walk([&](Operation *op) { // new memory in each iteration
      if (isa<tensor::EmptyOp, memref::AllocOp, d2m::AcquireDstOp, d2m::ScratchAllocateOp>(op))
        forget(op->getResult(0));
    });
    if (failed(lowerAll(body)) || failed(bind(names, body.getTerminator()->getOperands(), loop)))
      return failure();
  }
  return bind(loop->getResults(), names, loop);
}

LogicalResult BodyLowering::runBranch(scf::IfOp op, bool condition) {
  Region &region = condition ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  if (failed(lowerAll(region.front())))
    return failure();
  return bind(op.getResults(), region.front().getTerminator()->getOperands(), op);
}
