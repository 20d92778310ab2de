//===- BlockCopies.cpp - copies from a block to another one -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy between blocks goes through a tensor in DRAM, of which each node has a block
// (ttl/_block_copies.py adds it to the call). The first half is waited for at once.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Devices.h"
#include "frontend/walk/transfers/Transfers.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// Returns the number of this node on its device.
static mlir::Value nodeNumber(Walker &walker, py::handle node) {
  Type index = walker.builder.getIndexType();
  auto core = ttl::CoreOp::create(walker.builder, walker.location(node), TypeRange{index}, 1);
  return walker.devices.within(node, core.getCoords().front(), /*isNumber=*/true);
}

// Returns the part of the tensor that this node has for a block.
TensorSlice Transfers::ownPart(py::handle node, unsigned tensor, ArrayRef<int64_t> shape) {
  mlir::Value row =
      arith::MulIOp::create(walker.builder, walker.location(node), nodeNumber(walker, node),
                            walker.indexConstant(node, shape.front()));
  std::vector<Value> firsts{walker.scalars.fromIndex(node, row), Static{py::int_(0)}};
  return makePart(node, tensor, {row, walker.indexConstant(node, 0)}, std::move(firsts),
                  {shape.begin(), shape.end()}, {true, true});
}

// Returns the value of byte_count=.
static int64_t bytesOf(Walker &walker, const Arguments::Item &byteCount) {
  std::optional<int64_t> count = Scalars::staticInt(byteCount.value);
  if (!count)
    walker.diagnostics.failNeedsStatic(byteCount.node, "byte_count= must be known at compile time");
  return *count;
}

void Transfers::checkByteCount(const Value &from, const Value &to,
                               const Arguments::Item &byteCount) const {
  const Block *block = from.is<Block>() ? from.getIf<Block>() : to.getIf<Block>();
  if (!block)
    walker.diagnostics.fail(
        byteCount.node, fmt::format("byte_count= is for a copy from or to a block, found {} and {}",
                                    describe(from), describe(to)));
  py::object problem = pythonModule<"ttl._block_copies">().attr("why_not_whole"_py)(
      walker.kernel.buffers[block->info->buffer].object, bytesOf(walker, byteCount));
  if (!problem.is_none())
    walker.diagnostics.fail(byteCount.node, problem.cast<std::string>());
}

TransferHandle Transfers::copyBlock(py::handle node, const Value &from, const Value &to,
                                    const Arguments::Item &byteCount) {
  requireDataMovement(walker, node, "ttl.copy()");
  const Block *source = from.getIf<Block>(), *destination = to.getIf<Block>();
  py::object found = pythonModule<"ttl._block_copies">().attr("tensor_for"_py)(
      walker.kernel.call, walker.threadName, walker.kernel.buffers[source->info->buffer].object,
      walker.kernel.buffers[destination->info->buffer].object, bytesOf(walker, byteCount));
  if (py::isinstance<py::str>(found))
    walker.diagnostics.fail(byteCount.node, text(found));
  const KernelTensor *tensor = walker.kernel.findTensor(found);
  Value part = ownPart(node, tensor - walker.kernel.tensors.data(),
                       ttl::getBlockShape(source->info->block.getType()));
  wait(node, copyEnds(node, from, part));
  return copyEnds(node, part, to);
}

} // namespace ttjit::frontend
