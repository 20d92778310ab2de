//===- SliceReceives.cpp - receives into slices of tensors --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/SliceReceives.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Transfers.h"
#include "ir/Nodes/PipeNets.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static ArrayRef<int64_t> significant(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t extent) { return extent == 1; });
}

std::vector<int64_t> SliceReceives::shapeOf(const Arguments::Item &shape,
                                            const TensorSlice &slice) {
  std::vector<int64_t> extents;
  for (const Value &item : shape.value->items(walker).value_or(std::vector<Value>())) {
    std::optional<int64_t> extent = Scalars::staticInt(item);
    if (!extent)
      walker.diagnostics.failNeedsStatic(shape.node, "shape= must be known at compile time");
    extents.push_back(*extent);
  }
  if (extents.empty() || significant(extents) != significant(slice.sizes))
    walker.diagnostics.fail(shape.node,
                            fmt::format("shapes differ: shape= is {}, but the slice has shape {}",
                                        shapeText(extents), shapeText(slice.sizes)));
  return extents;
}

void SliceReceives::checkTensor(py::handle node, const TensorSlice &slice) {
  const KernelTensor &tensor = walker.kernel.tensors[slice.tensor];
  if (tensor.spec.memory.buffer != hw::BufferType::DRAM || tensor.spec.memory.shards)
    walker.diagnostics.fail(node,
                            fmt::format("a pipe can end in an interleaved tensor in DRAM, but "
                                        "tensor '{}' is in {}: receive into a block, and copy "
                                        "the block",
                                        tensor.name, describe(tensor.spec.memory)));
}

// Marks the net as one with queues. All its pipes must end at one node each.
void SliceReceives::checkNet(py::handle node, const PipeEnd &pipe) {
  Operation *callback = callbackOf(pipe.value);
  if (!callback)
    walker.diagnostics.fail(node, "a receive into a slice of a tensor must be in a callback of "
                                  "net.if_dst()");
  ttl::CreatePipeNetOp net = netOf(callback);
  for (mlir::Value each : net.getPipes())
    if (!each.getDefiningOp<ttl::CreatePipeOp>().getDst())
      walker.diagnostics.fail(node, "a receive into a slice of a tensor needs a pipe to one node, "
                                    "but this pipe ends at a range of nodes");
  net->setAttr(kQueuedAttr, walker.builder.getUnitAttr());
  pythonModule<"ttl._device_pipes">().attr("note_slices"_py)(walker.kernel.call, pipe.net,
                                                             net.getName().str());
}

// Returns whether the value is the same in all calls of a callback on one node.
static bool isSameForAllPipes(mlir::Value value, Operation *callback) {
  if (!callback->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(),
                      [&](mlir::Value operand) { return isSameForAllPipes(operand, callback); });
}

// Returns whether every node of the devices that run the kernel certainly comes to the callback's
// op.
static bool isReachedByAllNodes(Operation *callback) {
  Operation *parent = callback->getParentOp();
  while (auto loop = dyn_cast_or_null<scf::ForOp>(parent)) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           upper = getConstantIntValue(loop.getUpperBound());
    if (!lower || !upper || *lower >= *upper)
      return false;
    parent = parent->getParentOp();
  }
  if (parent && parent->hasAttr(ttl::kPlacedAttr))
    parent = parent->getParentOp();
  return parent && ttl::isThread(parent);
}

// Refuses two pipes that end at one node and in one slice. Slices that differ between the pipes are
// not compared.
void SliceReceives::checkOverlap(py::handle node, const PipeEnd &pipe, const TensorSlice &slice) {
  Operation *callback = callbackOf(pipe.value), *place = slice.slice.getDefiningOp();
  if (!place || walker.builder.getBlock() != &callback->getRegion(0).front() ||
      !isReachedByAllNodes(callback) || !llvm::all_of(place->getOperands(), [&](mlir::Value start) {
        return isSameForAllPipes(start, callback);
      }))
    return;
  auto kernel = callback->getParentOfType<ttl::KernelOp>();
  ArrayRef<int64_t> grid = kernel.getGrid().getShape();
  if (grid.size() != 2)
    return;
  GridLayout layout = layoutGrid(grid, {}, devicesOf(kernel));
  ttl::CreatePipeNetOp op = netOf(callback);
  PipeNet net = analyseNet(op, kernel.getGrid(), layout);
  for (int64_t end = 0; end < layout.numNodes; ++end)
    if (SmallVector<int64_t> pipes = net.pipesTo(end); pipes.size() > 1)
      walker.diagnostics.fail(
          node, fmt::format("pipes {} and {} of '{}' both end in this slice of tensor '{}' on node "
                            "{}: on a card the second block may overwrite the first one before it "
                            "is used: give each pipe a slice of its own, for example at index "
                            "pipe.source_device_index",
                            pipes[0], pipes[1], op.getName().str(),
                            walker.kernel.tensors[slice.tensor].name,
                            nodeText(grid, end, layout.devices)));
}

unsigned SliceReceives::bufferFor(py::handle node, const TensorSlice &slice,
                                  std::vector<int64_t> shape) {
  auto [known, isNew] = buffers.try_emplace({slice.tensor, shape}, walker.kernel.buffers.size());
  if (!isNew)
    return known->second;
  const KernelTensor &tensor = walker.kernel.tensors[slice.tensor];
  py::object buffer = pythonModule<"ttl._buffers">().attr("add_received"_py)(
      walker.kernel.call, tensor.object, py::tuple(py::cast(shape)),
      walker.diagnostics.position(node));
  walker.kernel.addBuffer(buffer);
  walker.kernel.renameBuffer(known->second,
                             fmt::format("{}_received{}", tensor.name, known->second));
  walker.kernel.buffers[known->second].acquired = true;
  return known->second;
}

Value SliceReceives::receive(py::handle node, const Value &pipe, const Value &destination,
                             const Arguments::Item *shape) {
  requireDataMovement(walker, node, "ttl.copy()");
  std::optional<TensorSlice> slice = walker.transfers.sliceOf(node, destination);
  if (!slice)
    walker.diagnostics.fail(node,
                            fmt::format("ttl.copy() over a pipe must receive into a block, or "
                                        "into a slice of a tensor; found {}",
                                        describe(destination)));
  if (!shape)
    walker.diagnostics.fail(node,
                            "a receive into a slice of a tensor needs the shape of the block "
                            "that arrives: ttl.copy(pipe, tensor[...], shape=(rows, columns))");
  checkTensor(node, *slice);
  const PipeEnd &end = *pipe.getIf<PipeEnd>();
  checkNet(node, end);
  checkOverlap(node, end, *slice);
  std::vector<int64_t> extents = shapeOf(*shape, *slice);
  unsigned buffer = bufferFor(node, *slice, std::move(extents));
  walker.kernel.tensors[slice->tensor].written = true;
  receives.push_back({py::reinterpret_borrow<py::object>(node), end, *slice, buffer});
  return SliceReceive(receives.size() - 1);
}

void SliceReceives::wait(unsigned number) {
  Receive &receive = receives[number];
  receive.isAwaited = true;
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(receive.node);
  mlir::Value ring = walker.kernel.buffers[receive.buffer].value();
  auto copy = [&](mlir::Value from, mlir::Value to) {
    auto transfer = ttl::CopyOp::create(builder, loc, from, to);
    ttl::WaitOp::create(builder, loc, transfer.getXf());
  };
  mlir::Value arrived = ttl::CBReserveOp::create(builder, loc, ring).getBlock();
  copy(receive.pipe.value, arrived);
  ttl::CBPushOp::create(builder, loc, arrived);
  mlir::Value block = ttl::CBWaitOp::create(builder, loc, ring).getBlock();
  copy(block, receive.slice.slice);
  ttl::CBPopOp::create(builder, loc, block);
}

void SliceReceives::requireWaits() const {
  for (const Receive &receive : receives)
    if (!receive.isAwaited)
      walker.diagnostics.fail(receive.node, "nothing waits for this receive into a slice of a "
                                            "tensor: call wait() of its result");
}

} // namespace ttjit::frontend
