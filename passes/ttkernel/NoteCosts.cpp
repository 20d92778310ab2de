//===- NoteCosts.cpp - ttl-note-costs -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the time model (tools/timing) replays the events of a run, but tile operations and
// address arithmetic are no events.
//
// 1. Look at the ops of each block in order. Collect those that cost time and are no events:
//    tile operations and initialisations in compute threads, scalar ops in the others.
// 2. A loop without events whose number of iterations is known counts as that many times the ops
//    of its body, so that a product of blocks makes one event and not one for each pair of tiles.
// 3. Before the next event, at the next line of the source, before a loop or branch, and at the
//    end of the block, add `ttkernel.signpost cost "..."` with what was collected. Every engine
//    reports signposts in the order of the ops around them.
//
// The text is a list of words `name[:kind...][:format][*count]`, such as
// "copy_tile:bf16*2 add_binary_tile" or "scalar*7". tools/timing/CostModel.h reads it. Prices are
// not in it: they depend on the chip (hw/facts/TimeCosts.def).
//
// Products of tiles are named as the emitted C++ computes them (passes/metalium/MatmulBlocks.cpp):
// "matmul_block:2x4:bf16" is a product of tiles of blocks with two rows and four columns of
// registers. Transfers of pages add "page_address", unless the page is the same in every iteration
// of the loop: then compilers compute the address once. Addresses of other cores that change in a
// loop, or are made outside of one, are "noc_address"; other scalar ops are "scalar".
//
// In compute threads scalar ops are free: the RISC-V cores are ahead of the units that they feed.
// It rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "passes/common/Threads.h"
#include "passes/ttkernel/ProductBlocks.h"

#include "ir/TTCore/TTCore.h"
#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLNOTECOSTS
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the name of the format of the first buffer that the call uses; empty if there is none.
static StringRef formatOf(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto buffer = dyn_cast<ttkernel::CBType>(operand.getType());
    if (!buffer)
      continue;
    auto tile = dyn_cast<ttcore::TileType>(buffer.getElementType());
    std::optional<ttcore::DataType> type =
        tile ? std::optional(tile.getDataType()) : ttcore::getDataTypeOf(buffer.getElementType());
    if (type)
      return ttcore::stringifyDataType(*type);
  }
  return {};
}

// Returns what decides the cost of a call beside its format: the kind of a reduction, and whether
// the packer adds to L1 from here on.
static std::string kindOf(Operation *op) {
  APInt enable;
  if (auto accumulates = dyn_cast<ttkernel::PackReconfigL1AccOp>(op)) {
    bool isOff = matchPattern(accumulates.getEnable(), m_ConstantInt(&enable)) && enable.isZero();
    return isOff ? ":off" : ":on"; // a flag of run time is off for the first pass of a loop only
  }
  auto reduce = dyn_cast<ttkernel::ReduceTileOp>(op);
  if (!reduce)
    return {};
  bool isMax = reduce.getReduceType() == ttkernel::ReduceType::Max;
  static constexpr const char *dims[] = {":row", ":col", ":scalar"};
  return std::string(isMax ? ":max" : ":sum") + dims[static_cast<size_t>(reduce.getReduceDim())];
}

// Returns the number of tiles that the call works on.
static int64_t tilesOf(Operation *op) {
  APInt tiles;
  auto block = dyn_cast<ttkernel::PackTileBlockOp>(op);
  return block && matchPattern(block.getNumTiles(), m_ConstantInt(&tiles)) ? tiles.getSExtValue()
                                                                           : 1;
}

// Returns whether the device reports no event at this op of ttkernel.
static bool isUnit(Operation *op) {
  return op->hasTrait<ttkernel::IsInit>() || isa<ttcore::TileOpInterface>(op) ||
         isa<ttkernel::CopyTileOp, ttkernel::PackTileOp, ttkernel::PackTileBlockOp,
             ttkernel::CopyDestValuesOp, ttkernel::FillTileOp, ttkernel::MatmulTilesOp,
             ttkernel::ReduceTileOp, ttkernel::UnaryBcastOp, ttkernel::TransposeWHTileOp,
             ttkernel::AddTilesOp, ttkernel::SubTilesOp, ttkernel::MulTilesOp,
             ttkernel::PackReconfigL1AccOp>(op);
}

// Returns whether the op of ttkernel makes an event, before which costs must be told.
static bool isEvent(Operation *op) {
  return isa_and_nonnull<ttkernel::TTKernelDialect>(op->getDialect()) && !isUnit(op) &&
         !isMemoryEffectFree(op);
}

// Returns whether the op moves a page or a row; its first operands are the page and the accessor.
static bool isPageTransfer(Operation *op) {
  return isa<ttkernel::NocAsyncReadPageOp, ttkernel::NocAsyncWritePageOp,
             ttkernel::NocAsyncReadPagesOp, ttkernel::NocAsyncWritePagesOp,
             ttkernel::NocAsyncReadRowOp, ttkernel::NocAsyncWriteRowOp>(op);
}

// Returns whether a value is the same in every iteration of the loop.
static bool isInvariant(Value value, LoopLikeOpInterface loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value each) { return isInvariant(each, loop); });
}

// Returns whether the op makes an address of the NoC from coordinates. Compilers move those that do
// not change in a loop to its begin.
static bool isNewAddress(Operation *op) {
  if (!isa<ttkernel::GetNocAddrOp, ttkernel::GetNocMulticastAddrOp>(op))
    return false;
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  return !loop || !isInvariant(op->getResult(0), loop);
}

static bool areOnOneLine(Location a, Location b) {
  auto first = a->findInstanceOf<FileLineColRange>(),
       second = b->findInstanceOf<FileLineColRange>();
  if (!first || !second)
    return a == b;
  return first.getFilename() == second.getFilename() &&
         first.getStartLine() == second.getStartLine();
}

namespace {
struct NoteCosts : ttjit::impl::TTLNoteCostsBase<NoteCosts> {
  void runOnOperation() override;

private:
  void visit(Block &block, bool isLoop);
  bool collectLoop(Operation *op);
  void collect(Operation *op);
  void collectPage(Operation *op);
  void add(const std::string &word, int64_t count);
  void tell(OpBuilder builder);

  bool computes = false;
  ProductBlocks blocks;   // of the thread
  int64_t iterations = 1; // of the loops around the ops that are collected
  std::vector<std::pair<std::string, int64_t>> words;
  std::optional<Location> location;
};
} // namespace

// Instructions that the control of a loop takes in each iteration: add, compare, branch.
static constexpr int64_t kLoopScalars = 3;

void NoteCosts::add(const std::string &word, int64_t count) {
  if (!words.empty() && words.back().first == word)
    words.back().second += count * iterations;
  else
    words.emplace_back(word, count * iterations);
}

// Tells what was collected, before the op at which `builder` is.
void NoteCosts::tell(OpBuilder builder) {
  if (words.empty())
    return;
  std::string text;
  for (const auto &[word, count] : words) {
    text += (text.empty() ? "" : " ") + word;
    if (count != 1)
      text += "*" + std::to_string(count);
  }
  ttkernel::SignpostOp::create(builder, *location, ttkernel::SignpostKind::Cost, text);
  ++numNotes;
  words.clear();
  location.reset();
}

void NoteCosts::collect(Operation *op) {
  bool isUnitCall = isa_and_nonnull<ttkernel::TTKernelDialect>(op->getDialect()) && isUnit(op);
  bool isFree =
      isUnitCall != computes || op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      isa<arith::IndexCastOp, ttkernel::GetCompileTimeArgValOp, ttkernel::TensorAccessorArgsOp>(
          op) ||
      op->getNumResults() + isUnitCall == 0;
  if (isFree)
    return;
  bool mayTell = iterations == 1; // ops of a loop are told before it, at their first line
  if (mayTell && location && !areOnOneLine(*location, op->getLoc()))
    tell(OpBuilder(op));
  if (!location)
    location = op->getLoc();
  if (!computes)
    return add(isNewAddress(op) ? "noc_address" : "scalar", 1);
  StringRef format = formatOf(op);
  std::string word = blocks.wordOf(op);
  if (word.empty())
    word = op->getName().stripDialect().str() + kindOf(op);
  add(format.empty() ? word : word + ":" + format.str(), tilesOf(op));
}

// Returns the number of iterations of a loop without events and branches; 0 if it has some, or if
// the number is not known.
static int64_t quietIterations(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  std::optional<APInt> count = loop ? loop.getStaticTripCount() : std::nullopt;
  if (!count || count->isZero())
    return 0;
  for (Operation &inner : *loop.getBody())
    if (inner.getNumRegions() != 0 ? quietIterations(&inner) == 0 : isEvent(&inner))
      return 0;
  return count->getSExtValue();
}

// Collects a loop without events as a whole. Returns whether it is one.
bool NoteCosts::collectLoop(Operation *op) {
  int64_t count = quietIterations(op);
  if (count == 0)
    return false;
  if (!location)
    location = op->getLoc();
  iterations *= count;
  if (!computes)
    add("scalar", kLoopScalars);
  for (Operation &inner : *cast<scf::ForOp>(op).getBody())
    if (!collectLoop(&inner))
      collect(&inner);
  iterations /= count;
  return true;
}

// Collects the address arithmetic of the transfer of a page.
void NoteCosts::collectPage(Operation *op) {
  if (computes || !isPageTransfer(op))
    return;
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  bool isSame = loop && loop.isDefinedOutsideOfLoop(op->getOperand(0)) &&
                loop.isDefinedOutsideOfLoop(op->getOperand(1));
  if (isSame)
    return;
  if (location && !areOnOneLine(*location, op->getLoc()))
    tell(OpBuilder(op));
  if (!location)
    location = op->getLoc();
  add("page_address", 1);
}

void NoteCosts::visit(Block &block, bool isLoop) {
  if (isLoop && !computes) {
    location = block.getParentOp()->getLoc();
    add("scalar", kLoopScalars);
  }
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (quietIterations(&op)) {
      tell(OpBuilder(&op));
      (void)collectLoop(&op);
      continue;
    }
    collectPage(&op);
    if (op.getNumRegions() != 0 || isEvent(&op) || op.hasTrait<OpTrait::IsTerminator>())
      tell(OpBuilder(&op));
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        visit(inner, isa<LoopLikeOpInterface>(op));
    if (op.getNumRegions() == 0 && !isEvent(&op))
      collect(&op);
  }
}

void NoteCosts::runOnOperation() {
  std::optional<ThreadBinding> binding = bindingOf(getOperation());
  if (!binding)
    return;
  computes = binding->isCompute();
  blocks = computes ? ProductBlocks(getOperation()) : ProductBlocks();
  words.clear();
  location.reset();
  for (Block &block : getOperation().getBody())
    visit(block, /*isLoop=*/false);
}
