//===- BlockTransfers.cpp - blocks of pages as one transfer -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy between a tensor and a block is a loop nest with a transfer of one page. One or two
// loops become
//
//   if ttl_hw_read_block(thread, ...) == 0   starts all transfers and counts all steps of the
//                                            loops, if no call in them would fault, wait or
//                                            tell a listener
//     the loops
//
// so that faults, positions and events are those of the loops.
//
// 1. A loop qualifies if its numbers of trips are constant and its body only computes and has
//    one transfer, or one such loop.
// 2. The page number and the L1 address of the transfer must grow by constants from trip to
//    trip, the address by the size of a page, so that the pages follow each other in L1.
// 3. The call gets the page and the address of the first trip. What they depend on in the loops
//    is copied to before the loops.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"
#include "passes/llvm/LoopNumbers.h"

#include "hw/facts/PageBlock.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

// Largest number of pages of a block. A larger one does not fit into L1.
static constexpr int64_t kMaxPages = kMaxTrips;

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

namespace {

// The transfer of one page.
struct PageTransfer {
  Operation *op = nullptr;
  Value page, accessor, address;
  const char *blockCall = nullptr; // the call that moves a block of such pages

  static PageTransfer of(Operation *op) {
    return llvm::TypeSwitch<Operation *, PageTransfer>(op)
        .Case([](ttkernel::NocAsyncReadPageOp op) {
          return PageTransfer{op, op.getPage(), op.getAccessor(), op.getL1Address(),
                              "ttl_hw_read_block"};
        })
        .Case([](ttkernel::NocAsyncWritePageOp op) {
          return PageTransfer{op, op.getPage(), op.getAccessor(), op.getL1Address(),
                              "ttl_hw_write_block"};
        })
        .Default(PageTransfer());
  }
};

} // namespace

// Returns the size of the pages that the accessor has; nothing if it is not constant.
static std::optional<int64_t> pageBytesOf(Value accessor) {
  auto op = accessor.getDefiningOp<ttkernel::TensorAccessorOp>();
  return op ? constantNumber(op.getPageSize()) : std::nullopt;
}

namespace {

// A loop around a transfer, and how far the transfer moves from trip to trip.
struct Level {
  scf::ForOp loop;
  int64_t trips;
  int32_t pages, bytes;
};

// The transfers of one or two loops.
struct PageLoops {
  PageTransfer transfer;
  SmallVector<Level, 2> levels; // the innermost first
  hw::PageBlock pages;
};

} // namespace

// Returns the loop around `inner` as a level; nothing if it does not qualify.
static std::optional<Level> levelAround(Operation *inner, const PageTransfer &transfer) {
  auto loop = dyn_cast<scf::ForOp>(inner->getParentOp());
  if (!loop || loop.getNumResults() != 0 || !onlyRuns(inner, loop) ||
      !loop.isDefinedOutsideOfLoop(transfer.accessor))
    return std::nullopt;
  std::optional<int64_t> trips = tripsOf(loop), pages = growthOf(transfer.page, loop),
                         bytes = growthOf(transfer.address, loop);
  if (!trips || !pages || !bytes)
    return std::nullopt;
  int64_t step = *constantNumber(loop.getStep());
  auto perTrip = [&](int64_t growth) {
    return static_cast<int32_t>(static_cast<uint32_t>(uint64_t(growth) * uint64_t(step)));
  };
  return Level{loop, *trips, perTrip(*pages), perTrip(*bytes)};
}

// Returns the pages of one or two levels; nothing if they do not follow each other in L1, or are
// no equal runs of pages of the tensor.
static std::optional<hw::PageBlock> pagesOf(ArrayRef<Level> levels, int64_t pageBytes) {
  int64_t count = 1, inRun = 1, runs = 1, stride = 0, steps = 1;
  for (const Level &level : levels) {
    if (level.bytes != count * pageBytes || level.pages < 1)
      return std::nullopt;
    if (runs == 1 && level.pages == inRun) {
      inRun *= level.trips;
    } else if (runs == 1 || level.pages == runs * stride) {
      stride = runs == 1 ? level.pages : stride;
      runs *= level.trips;
    } else {
      return std::nullopt;
    }
    count *= level.trips;
    steps = (steps + 1) * level.trips;
  }
  if (count > kMaxPages)
    return std::nullopt;
  auto word = [](int64_t number) { return static_cast<int32_t>(number); };
  return hw::PageBlock{word(runs),      word(inRun), word(stride),
                       word(pageBytes), word(steps), word(int64_t(levels.size()))};
}

// Returns the block that the loops around a transfer move; nothing if they move none.
static std::optional<PageLoops> findBlock(Operation *op) {
  constexpr size_t kMaxLevels = 2;
  PageLoops block{PageTransfer::of(op), {}, {}};
  std::optional<int64_t> pageBytes = pageBytesOf(block.transfer.accessor);
  if (!pageBytes || *pageBytes < 1 || *pageBytes > INT32_MAX)
    return std::nullopt;
  Operation *inner = op;
  while (block.levels.size() < kMaxLevels) {
    std::optional<Level> level = levelAround(inner, block.transfer);
    if (!level)
      break;
    block.levels.push_back(*level);
    std::optional<hw::PageBlock> pages = pagesOf(block.levels, *pageBytes);
    if (!pages) {
      block.levels.pop_back();
      break;
    }
    block.pages = *pages;
    inner = level->loop;
  }
  return block.levels.empty() ? std::nullopt : std::optional(block);
}

//===--------------------------------------------------------------------------===//
// Rewriting
//===--------------------------------------------------------------------------===//

static LogicalResult writeBlock(const PageLoops &block, CallBuilder &calls) {
  const PageTransfer &transfer = block.transfer;
  scf::ForOp outermost = block.levels.back().loop;
  Location loc = transfer.op->getLoc();
  OpBuilder builder(outermost);
  IRMapping copies;
  for (const Level &level : block.levels) {
    scf::ForOp loop = level.loop;
    Value counter = loop.getInductionVar();
    auto first = builder.getIntegerAttr(counter.getType(), *constantNumber(loop.getLowerBound()));
    copies.map(counter, arith::ConstantOp::create(builder, loc, first).getResult());
  }
  Value page = copyOut(transfer.page, outermost, builder, copies);
  Value address = copyOut(transfer.address, outermost, builder, copies);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value accessor =
      UnrealizedConversionCastOp::create(builder, loc, pointer, transfer.accessor).getResult(0);
  const hw::PageBlock &pages = block.pages;
  Value facts = calls.constantWords(
      builder, loc,
      {pages.runs, pages.inRun, pages.stride, pages.pageBytes, pages.steps, pages.stepsAfter});
  // The call has the position of the transfer that it replaces, and the thread of the function.
  auto moved = calls.callAt(builder, transfer.op, transfer.blockCall,
                            {page, accessor, address, facts}, builder.getI32Type());
  if (!moved)
    return failure();
  Value isLeft = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, moved.getResult(),
                                      calls.constant(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, isLeft, /*withElseRegion=*/false);
  outermost->moveBefore(branch.thenYield());
  return success();
}

LogicalResult ttjit::tollvm::moveBlocks(ModuleOp module, CallBuilder &calls) {
  SmallVector<PageLoops, 0> blocks;
  module.walk([&](Operation *op) {
    if (PageTransfer::of(op).op)
      if (std::optional<PageLoops> block = findBlock(op))
        blocks.push_back(std::move(*block));
  });
  for (const PageLoops &block : blocks)
    if (failed(writeBlock(block, calls)))
      return failure();
  return success();
}
