//===- SemaphoreLowering.cpp - lowers semaphores to words of L1 ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/SemaphoreLowering.h"

#include "ir/Nodes/ReachedDevices.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/StageChecks.h"
#include "passes/ttkernel/PipeTransfers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SemaphoreLowering::SemaphoreLowering(ThreadBinding threadBinding, Arithmetic &arithmetic)
    : binding(threadBinding), arithmetic(arithmetic), grid(binding.program.getGrid().getShape()),
      ranges(binding.function, grid), layout(layoutGrid(grid, archOf(binding.program))) {
  ArrayRef<BlockArgument> arguments = binding.function.getArguments();
  int64_t offset = 0, common = llvm::count_if(arguments, [](BlockArgument argument) {
                        return isa<RankedTensorType>(argument.getType());
                      });
  for (BlockArgument argument : arguments)
    if (isa<ttl::NodeTableType>(argument.getType())) {
      auto table = cast<ttl::CreateNodeTableOp>(binding.boundTo(argument).getDefiningOp());
      bool isCommon = table->hasAttr(ttl::kCommonNumberAttr);
      tables[argument] = {isCommon, isCommon ? common++ : offset};
      offset += isCommon ? 0 : table.getRowLength();
    }
}

//===--------------------------------------------------------------------------===//
// Checks before lowering
//===--------------------------------------------------------------------------===//

static LogicalResult checkPlace(Operation *create) {
  if (create->hasAttr("semaphore_id") || create->hasAttr("address"))
    return success();
  return notReady(create, "has neither semaphore_id nor address",
                  "ttl-infer-pipe-semaphores and ttl-allocate-circular-buffers");
}

// Checks that the semaphore is an argument of the function, a counter, or a remote one
// of these.
static LogicalResult checkSemaphore(Operation *user, Value semaphore, ThreadBinding &binding) {
  Operation *op = semaphore.getDefiningOp();
  if (isa_and_nonnull<ttl::GetRemoteSemaphoreOp, ttl::GetRemoteMulticastSemaphoreOp>(op))
    return checkSemaphore(op, op->getOperand(0), binding);
  Value resource = semaphore;
  if (auto counter = dyn_cast_or_null<ttl::CounterOp>(op))
    resource = counter.getCounters();
  if (binding.isBound(resource))
    return checkPlace(binding.boundTo(resource).getDefiningOp());
  return user->emitOpError("cannot use a semaphore that is no resource of its thread");
}

LogicalResult ttjit::checkSemaphores(ThreadBinding &binding) {
  WalkResult result = binding.function.walk([&](Operation *op) -> WalkResult {
    auto set = dyn_cast<ttl::SemaphoreSetOp>(op);
    if (set && set.getSemaphore().getType().getIsRemote() && !set.getScratch())
      return notReady(op, "has no scratch word to send", "ttl-infer-pipe-semaphores");
    for (Value operand : op->getOperands())
      if (isa<ttl::SemaphoreType>(operand.getType()) &&
          failed(checkSemaphore(op, operand, binding)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===--------------------------------------------------------------------------===//
// Addresses and coordinates
//===--------------------------------------------------------------------------===//

// Drops the user's name, which only the result gets and not the intermediate values.
static Location withoutName(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? name.getChildLoc() : loc;
}

void SemaphoreLowering::nodeValue(ttl::NodeValueOp op) {
  OpBuilder builder(op);
  Location loc = withoutName(op.getLoc());
  TablePlace place = tables.lookup(op.getTable());
  Type i32 = builder.getI32Type();
  Value value;
  if (place.isCommon) {
    value = ttkernel::createCall<ttkernel::GetCommonArgValOp>(builder, op.getLoc(), i32,
                                                              arithmetic.i32(place.offset));
  } else {
    Value index = arithmetic.add(builder, loc, arithmetic.toI32(builder, loc, op.getIndex()),
                                 arithmetic.i32(place.offset));
    value = ttkernel::createCall<ttkernel::GetArgValOp>(builder, op.getLoc(), i32, index);
  }
  op.replaceAllUsesWith(
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value).getResult());
}

Value SemaphoreLowering::wordAddress(OpBuilder &builder, Location loc, std::optional<uint32_t> id,
                                     std::optional<uint64_t> address, Value index) {
  Location plain = withoutName(loc);
  if (id)
    return ttkernel::createCall<ttkernel::GetSemaphoreOp>(
        builder, loc, builder.getI32Type(),
        arithmetic.add(builder, plain, index, arithmetic.i32(*id)));
  Value offset = arithmetic.mul(builder, plain, index, archOf(binding.program).l1Alignment);
  return arithmetic.add(builder, loc, offset, arithmetic.i32(address.value_or(0)));
}

// Returns the address of a semaphore. A remote one has the local address, because a semaphore has
// the same address on every node.
Value SemaphoreLowering::address(OpBuilder &builder, Value semaphore) {
  Operation *op = semaphore.getDefiningOp();
  if (auto remote = dyn_cast_or_null<ttl::GetRemoteSemaphoreOp>(op))
    return address(builder, remote.getSemaphore());
  if (auto remote = dyn_cast_or_null<ttl::GetRemoteMulticastSemaphoreOp>(op))
    return address(builder, remote.getSemaphore());
  if (auto counter = dyn_cast_or_null<ttl::CounterOp>(op)) {
    auto create =
        cast<ttl::CreateCountersOp>(binding.boundTo(counter.getCounters()).getDefiningOp());
    return wordAddress(
        builder, counter.getLoc(), create.getSemaphoreId(), create.getAddress(),
        arithmetic.toI32(builder, withoutName(counter.getLoc()), counter.getIndex()));
  }
  auto create = cast<ttl::CreateSemaphoreOp>(binding.boundTo(semaphore).getDefiningOp());
  return wordAddress(builder, named(create.getName(), withoutName(semaphore.getLoc())),
                     create.getSemaphoreId(), create.getAddress(), arithmetic.i32(0));
}

std::pair<Value, Value> SemaphoreLowering::coreOfNode(OpBuilder &builder, Location loc,
                                                      Value node) {
  Value width = arithmetic.index(layout.direct ? grid[1] : layout.columns);
  Value slow = builder.createOrFold<arith::DivSIOp>(loc, node, width);
  Value fast = builder.createOrFold<arith::RemSIOp>(loc, node, width);
  return layout.direct ? std::pair(slow, fast) : std::pair(fast, slow);
}

void SemaphoreLowering::checkCoordinates(OpBuilder &builder, ttl::GetRemoteSemaphoreOp op) {
  SmallVector<int64_t> bounds(grid);
  if (op.getCore().size() != grid.size())
    bounds = ttl::flattenGridDims(grid, 1, 1);
  for (auto [dim, coord, bound] : llvm::enumerate(op.getCore(), bounds)) {
    IndexRange range = ranges.of(coord);
    if (range.min >= 0 && range.max < bound)
      continue;
    // The comparison is unsigned, so negative coordinates count as too large.
    Value inside = arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::ult, coord,
                                         arithmetic.index(bound));
    std::string message = "the node of a remote semaphore lies outside the grid " +
                          ttl::shapeText(grid) + ": coordinate " + std::to_string(dim) +
                          " is {}, but must be from 0 to " + std::to_string(bound - 1);
    ttl::AssertOp::create(builder, op.getLoc(), inside, builder.getStringAttr(message),
                          arithmetic.toI32(builder, op.getLoc(), coord));
  }
}

std::pair<Value, Value> SemaphoreLowering::coreOf(OpBuilder &builder,
                                                  ttl::GetRemoteSemaphoreOp op) {
  ValueRange core = op.getCore();
  if (op.getCores())
    return {core[0], core[1]};
  checkCoordinates(builder, op);
  if (layout.direct && core.size() == 2)
    return {core[0], core[1]};
  Value node = core.size() == 1 ? core[0] : arithmetic.linearise(builder, op.getLoc(), core, grid);
  return coreOfNode(builder, op.getLoc(), node);
}

//===--------------------------------------------------------------------------===//
// This node's semaphore
//===--------------------------------------------------------------------------===//

template <typename KernelOpT, typename OpT> void SemaphoreLowering::local(OpT op) {
  OpBuilder builder(op);
  Value word = address(builder, op.getSemaphore());
  ttkernel::createCall<KernelOpT>(builder, op.getLoc(), word, op.getValue());
}

void SemaphoreLowering::waitAny(ttl::SemaphoreWaitAnyOp op) {
  OpBuilder builder(op);
  SmallVector<Value> words;
  for (Value semaphore : op.getSemaphores())
    words.push_back(address(builder, semaphore));
  Value start = arithmetic.toI32(builder, op.getLoc(), op.getStart());
  Value place = ttkernel::createCall<ttkernel::SemaphoreWaitAnyOp>(
      builder, op.getLoc(), builder.getI32Type(), words, op.getValues(), start);
  op.replaceAllUsesWith(
      arith::IndexCastOp::create(builder, op.getLoc(), builder.getIndexType(), place).getResult());
}

//===--------------------------------------------------------------------------===//
// Other nodes' semaphores
//===--------------------------------------------------------------------------===//

// Tells emission that the word counts transfers of a net. Only nets name cores.
void SemaphoreLowering::markOfNet(Operation *call, ttl::GetRemoteSemaphoreOp remote) {
  if (devicesOf(binding.program) > 1 && remote.getCores())
    call->setAttr(kOfNetAttr, UnitAttr::get(call->getContext()));
}

void SemaphoreLowering::increment(ttl::SemaphoreIncOp op) {
  OpBuilder builder(op);
  auto remote = op.getSemaphore().getDefiningOp<ttl::GetRemoteSemaphoreOp>();
  auto [x, y] = coreOf(builder, remote);
  Value to =
      nocAddress(builder, op.getLoc(), arithmetic, x, y, address(builder, op.getSemaphore()));
  auto call =
      ttkernel::createCall<ttkernel::NocSemaphoreIncOp>(builder, op.getLoc(), to, op.getValue());
  markOfNet(call, remote);
  hasIncrements = true;
}

void SemaphoreLowering::setRectangle(OpBuilder &builder, Location loc, Value word,
                                     Value destination, Value dests, bool loopback) {
  if (loopback)
    ttkernel::createCall<ttkernel::NocSemaphoreSetMulticastLoopbackSrcOp>(builder, loc, word,
                                                                          destination, dests);
  else
    ttkernel::createCall<ttkernel::NocSemaphoreSetMulticastOp>(builder, loc, word, destination,
                                                               dests);
}

// Writes to one core, or to a rectangle of cores that may contain this node.
void SemaphoreLowering::setPart(OpBuilder &builder, Location loc, const PipePart &part, Value word,
                                Value address) {
  Value x0 = arithmetic.index(part.x0), y0 = arithmetic.index(part.y0);
  if (!part.multicast) {
    ttkernel::createCall<ttkernel::NocSemaphoreSetRemoteOp>(
        builder, loc, word, nocAddress(builder, loc, arithmetic, x0, y0, address));
    return;
  }
  Value x1 = arithmetic.index(part.x1), y1 = arithmetic.index(part.y1);
  Value to = nocMulticastAddress(builder, loc, arithmetic, {x0, y0, x1, y1}, address);
  if (part.dests == layout.numNodes)
    return setRectangle(builder, loc, word, to, arithmetic.i32(part.dests), /*loopback=*/true);
  Value x = ttkernel::createCall<ttkernel::MyLogicalXOp>(builder, loc, builder.getIndexType());
  Value y = ttkernel::createCall<ttkernel::MyLogicalYOp>(builder, loc, builder.getIndexType());
  using arith::CmpIPredicate;
  Value inside;
  for (auto [predicate, a, b] :
       {std::tuple(CmpIPredicate::sge, x, x0), std::tuple(CmpIPredicate::sle, x, x1),
        std::tuple(CmpIPredicate::sge, y, y0), std::tuple(CmpIPredicate::sle, y, y1)}) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, holds).getResult() : holds;
  }
  auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/true);
  OpBuilder with = branch.getThenBodyBuilder(), without = branch.getElseBodyBuilder();
  setRectangle(with, loc, word, to, arithmetic.i32(part.dests), /*loopback=*/true);
  setRectangle(without, loc, word, to, arithmetic.i32(part.dests), /*loopback=*/false);
}

void SemaphoreLowering::setRange(OpBuilder &builder, ttl::SemaphoreSetOp op,
                                 ttl::GetRemoteMulticastSemaphoreOp range, Value word) {
  Location loc = op.getLoc();
  Value target = address(builder, op.getSemaphore());
  if (!range.getCorners().empty()) {
    Value to = nocMulticastAddress(builder, loc, arithmetic, range.getCorners(), target);
    setRectangle(builder, loc, word, to, arithmetic.toI32(builder, loc, range.getCorners()[4]),
                 range.getLoopback());
    return;
  }
  SmallVector<int64_t> nodes;
  if (std::optional<ArrayAttr> slices = range.getCoreRange())
    nodes = ttl::nodesOfRange(binding.program.getGrid(),
                              llvm::to_vector(slices->getAsRange<ttl::SliceAttr>()));
  else
    nodes = llvm::to_vector(llvm::seq<int64_t>(0, layout.numNodes));
  for (const PipePart &part : partsOf(nodes, /*sender=*/0, grid, layout))
    setPart(builder, loc, part, word, target);
}

// Lowers a set. The NoC copies the word from this node's L1, so the word must not change before it
// was sent.
void SemaphoreLowering::set(ttl::SemaphoreSetOp op) {
  if (!op.getSemaphore().getType().getIsRemote())
    return local<ttkernel::NocSemaphoreSetOp>(op);
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value word = address(builder, op.getScratch());
  if (!op.getFromScratch())
    ttkernel::createCall<ttkernel::NocSemaphoreSetOp>(builder, loc, word, op.getValue());
  if (auto range = op.getSemaphore().getDefiningOp<ttl::GetRemoteMulticastSemaphoreOp>()) {
    setRange(builder, op, range, word);
  } else {
    auto remote = op.getSemaphore().getDefiningOp<ttl::GetRemoteSemaphoreOp>();
    auto [x, y] = coreOf(builder, remote);
    Value to = nocAddress(builder, loc, arithmetic, x, y, address(builder, op.getSemaphore()));
    markOfNet(ttkernel::createCall<ttkernel::NocSemaphoreSetRemoteOp>(builder, loc, word, to),
              remote);
  }
  if (!op.getFromScratch())
    ttkernel::createCall<ttkernel::NocAsyncWritesFlushedOp>(builder, loc);
  hasSets = true;
}

void SemaphoreLowering::finish() {
  OpBuilder builder(binding.function.getBody().front().getTerminator());
  if (hasSets)
    ttkernel::createCall<ttkernel::NocAsyncWriteBarrierOp>(builder, binding.thread.getLoc());
  if (hasIncrements)
    ttkernel::createCall<ttkernel::NocAsyncAtomicBarrierOp>(builder, binding.thread.getLoc());
}

bool SemaphoreLowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ttl::NodeValueOp value) {
        nodeValue(value);
        return true;
      })
      .Case([&](ttl::SemaphoreWaitEqOp wait) {
        local<ttkernel::NocSemaphoreWaitOp>(wait);
        return true;
      })
      .Case([&](ttl::SemaphoreWaitMinOp wait) {
        local<ttkernel::NocSemaphoreWaitMinOp>(wait);
        return true;
      })
      .Case([&](ttl::SemaphoreWaitAnyOp wait) {
        waitAny(wait);
        return true;
      })
      .Case([&](ttl::SemaphoreSetOp setOp) {
        set(setOp);
        return true;
      })
      .Case([&](ttl::SemaphoreIncOp inc) {
        increment(inc);
        return true;
      })
      .Case([&](ttl::SemaphoreValueOp value) {
        OpBuilder builder(value);
        value.replaceAllUsesWith(ttkernel::createCall<ttkernel::LoadFromL1Op>(
                                     builder, value.getLoc(), builder.getI32Type(),
                                     address(builder, value.getSemaphore()))
                                     .getResult());
        return true;
      })
      .Case<ttl::CounterOp, ttl::GetRemoteSemaphoreOp, ttl::GetRemoteMulticastSemaphoreOp>(
          [](auto) { return true; })
      .Default(false);
}
