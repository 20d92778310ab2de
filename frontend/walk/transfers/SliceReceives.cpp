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
#include "ir/TTL/TTL.h"

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
