//===- BodyMulticast.cpp - shards that several cores load together ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: with mcast, or mcore and mshape, the cores of a group want the same shard of a
// d2m.remote_load: cores with the same row, with the same column, or all of the grid. Each core
// gets the values that its own load would give, so the compiler may choose which core loads.
//
// 1. Find the dimensions of the grid in which the cores of a group differ. The grid must be a
//    rectangle of the device's cores, and the shard be the same for the whole group: its indices do
//    not depend on a core's place in these dimensions. All cores must come to the load equally
//    often, so only loops with known bounds may be around it. Pipes need memory for blocks that
//    arrive, so a large shard is not sent.
// 2. The first core of a group loads the shard and sends it to the others over a pipe.
//
// Otherwise each core loads the shard itself.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Groups
//===--------------------------------------------------------------------------===//

// Returns whether a number of the region may depend on the core's place in a dimension of the grid.
static bool dependsOnCore(Value value, unsigned dim, d2m::GenericOp generic) {
  Operation *op = value.getDefiningOp();
  if (!op) // the index of a loop whose bounds are known
    return false;
  if (auto core = dyn_cast<d2m::CoreIndexOp>(op))
    return core.getDim() == dim;
  if (isa<d2m::IterIndexOp, d2m::GetBlockFactorOp>(op))
    return false;
  if (isa<d2m::BlockIndexOp, d2m::BlockOffsetOp>(op)) {
    int64_t iterator = isa<d2m::BlockIndexOp>(op) ? cast<d2m::BlockIndexOp>(op).getDim()
                                                  : cast<d2m::BlockOffsetOp>(op).getDim();
    AffineMap output = generic.getIndexingMap(generic.getInputs().size());
    auto place = dim < output.getNumResults() ? dyn_cast<AffineDimExpr>(output.getResult(dim))
                                              : AffineDimExpr(nullptr);
    return place && int64_t(place.getPosition()) == iterator && !generic.isReduction(iterator);
  }
  bool isKnown = isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op) ||
                 isa_and_nonnull<arith::ArithDialect>(op->getDialect());
  return !isKnown || llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOnCore(operand, dim, generic);
  });
}

// Returns whether all cores come to the op equally often.
static bool isOnEveryCore(Operation *op, d2m::GenericOp generic) {
  for (Operation *around = op->getParentOp(); around != generic; around = around->getParentOp()) {
    bool isStep = around->hasAttr("d2m.blocking_loop");
    auto loop = dyn_cast<LoopLikeOpInterface>(around);
    if (!isStep && (!loop || !loop.getStaticTripCount()))
      return false;
  }
  return true;
}

// Returns, for each dimension of the grid, whether the cores of a group differ in it; nothing if
// the op does not describe the group in one of the forms that become pipes.
static std::optional<std::array<bool, 2>> differingDims(d2m::RemoteLoadOp op,
                                                        ArrayRef<int64_t> grid) {
  std::array<bool, 2> differs{true, true};
  auto known = [](Value value) { return getConstantIntValue(value); };
  for (Value dim : op.getMcastDims()) {
    std::optional<int64_t> number = known(dim);
    if (!number || *number < 0 || *number > 1)
      return std::nullopt;
    differs[*number] = false;
  }
  if (!op.getMcastDims().empty())
    return differs;
  if (op.getMcastStartIndex().size() != 2 || op.getMcastShape().size() != 2)
    return std::nullopt;
  for (unsigned dim : {0, 1}) {
    Value start = op.getMcastStartIndex()[dim];
    std::optional<int64_t> extent = known(op.getMcastShape()[dim]);
    auto core = start.getDefiningOp<d2m::CoreIndexOp>();
    differs[dim] = !(core && core.getDim() == dim && extent == 1);
    if (differs[dim] && (known(start) != 0 || extent != grid[dim]))
      return std::nullopt;
  }
  return differs;
}

// Returns whether the shard is small: then the L1 of a core has room for the queues and landing
// slots of two such operands.
static bool isSmall(Type operand) {
  constexpr int64_t kMaxElements = 32 * 32 * 32;
  auto tile = dyn_cast<ttcore::TileType>(cast<ShapedType>(operand).getElementType());
  int64_t elements = ShapedType::getNumElements(d2m::getShard(operand));
  return elements <= (tile ? kMaxElements / (tile.getHeight() * tile.getWidth()) : kMaxElements);
}

std::optional<std::array<bool, 2>> BodyLowering::groupOf(d2m::RemoteLoadOp op) {
  ArrayRef<int64_t> grid = generic.getGridShape();
  bool isMulticast = !op.getMcastDims().empty() || !op.getMcastStartIndex().empty();
  if (!isMulticast || !isSmall(op.getMemref().getType()) || !isRectangle ||
      !isOnEveryCore(op, generic))
    return std::nullopt;
  std::optional<std::array<bool, 2>> differs = differingDims(op, grid);
  if (!differs)
    return std::nullopt;
  int64_t cores = 1;
  for (unsigned dim : {0, 1})
    if ((*differs)[dim]) {
      cores *= grid[dim];
      for (Value index : op.getIndices())
        if (dependsOnCore(index, dim, generic))
          return std::nullopt;
    }
  return cores > 1 ? differs : std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Pipes
//===--------------------------------------------------------------------------===//

// Adds a pipe from (x, y) to a rectangle of nodes.
static void addPipe(OpBuilder &builder, Location loc, ArrayRef<int64_t> source,
                    ArrayRef<std::pair<int64_t, int64_t>> range, SmallVectorImpl<Value> &pipes) {
  SmallVector<Attribute> slices;
  for (auto [begin, end] : range) {
    if (begin == end)
      return;
    slices.push_back(ttl::SliceAttr::get(builder.getContext(), begin, end, /*step=*/1));
  }
  pipes.push_back(ttl::CreatePipeOp::create(
      builder, loc, ttl::PipeType::get(builder.getContext(), {}, {}, {}),
      builder.getDenseI64ArrayAttr(source), DenseI64ArrayAttr(), builder.getArrayAttr(slices)));
}

// Makes the pipes of all groups. The first core of a group sends to the others of its row, and if
// the group has more rows, to these.
Value BodyLowering::netFor(d2m::RemoteLoadOp op, const KernelOperand &operand,
                           std::array<bool, 2> differs) {
  Value &net = nets[op];
  if (net)
    return net;
  int64_t rows = generic.getGridShape()[0], columns = generic.getGridShape()[1];
  SmallVector<Value> pipes;
  for (int64_t y = 0; y < (differs[0] ? 1 : rows); ++y)
    for (int64_t x = 0; x < (differs[1] ? 1 : columns); ++x) {
      if (differs[1])
        addPipe(resources, op.getLoc(), {x, y}, {{1, columns}, {y, y + 1}}, pipes);
      if (differs[0])
        addPipe(resources, op.getLoc(), {x, y}, {{x, differs[1] ? columns : x + 1}, {1, rows}},
                pipes);
    }
  std::string name = "multicast" + std::to_string(operand.number);
  if (unsigned &count = bufferNames[name]; ++count > 1)
    name += "_" + std::to_string(count);
  net = ttl::CreatePipeNetOp::create(resources, op.getLoc(), ttl::PipeNetType::get(op.getContext()),
                                     name, pipes);
  return net;
}

// Copies between the block and each pipe of the net that begins, or ends, at this core.
template <typename IfPipe>
static void copyOverPipes(OpBuilder &builder, Location loc, Value net, Value block) {
  OpBuilder::InsertionGuard guard(builder);
  auto branch = IfPipe::create(builder, loc, net);
  Block &body = branch.getBody().emplaceBlock();
  Value pipe = body.addArgument(ttl::PipeType::get(builder.getContext(), {}, {}, {}), loc);
  builder.setInsertionPointToStart(&body);
  constexpr bool sends = std::is_same_v<IfPipe, ttl::IfPipeSrcOp>;
  Value copy =
      ttl::CopyOp::create(builder, loc, sends ? block : pipe, sends ? pipe : block, Value())
          .getXf();
  ttl::WaitOp::create(builder, loc, copy);
  ttl::YieldOp::create(builder, loc);
}

LogicalResult BodyLowering::loadShard(d2m::RemoteLoadOp op, const KernelOperand &operand,
                                      Value block) {
  std::optional<std::array<bool, 2>> differs = groupOf(op);
  if (!differs)
    return copyShard(op, operand, op.getIndices(), block, /*isLoad=*/true);
  Location loc = op.getLoc();
  Value net = netFor(op, operand, *differs), isFirst;
  for (unsigned dim : {0, 1})
    if ((*differs)[dim]) {
      Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, coordinates[dim],
                                         constant(loc, 0));
      isFirst = isFirst ? arith::AndIOp::create(builder, loc, isFirst, here).getResult() : here;
    }
  {
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    if (failed(copyShard(op, operand, op.getIndices(), block, /*isLoad=*/true)))
      return failure();
  }
  copyOverPipes<ttl::IfPipeSrcOp>(builder, loc, net, block);
  copyOverPipes<ttl::IfPipeDstOp>(builder, loc, net, block);
  return success();
}
