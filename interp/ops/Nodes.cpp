//===- Nodes.cpp - rules for node queries -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/TileRules.h"

#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

namespace {
struct NodeDetail : Detail {
  NodeNumbers nodes;
  SmallVector<int64_t>
      shape; // extents of the kernel's grid, flattened to at most `dims` dimensions
  SmallVector<SlotNumber> results;
};
} // namespace

// A flattened grid keeps the row-major numbers of nodes. So all coordinates except x and y of the
// kernel's own grid are computed from the number of the node.
static hw::Status runCore(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const NodeDetail &>(*inst.detail);
  for (SlotNumber slot : detail.results)
    frame.set(slot, int64_t(0));
  if (detail.nodes.layout.direct && detail.results.size() >= 2) {
    frame.set(detail.results[0], int64_t(frame.thread.x));
    frame.set(detail.results[1], int64_t(frame.thread.y));
    return hw::Status::Ok;
  }
  int64_t number = detail.nodes.here(frame);
  for (size_t i = detail.shape.size(); i-- > 0;) {
    frame.set(detail.results[i], i ? number % detail.shape[i] : number);
    number /= detail.shape[i];
  }
  return hw::Status::Ok;
}

static llvm::Error coordinates(Operation *op, int64_t dims, FunctionCompiler &compiler) {
  auto detail = std::make_unique<NodeDetail>();
  detail->nodes = NodeNumbers(compiler.thread());
  int64_t known = std::min<int64_t>(dims, detail->nodes.grid.size());
  detail->shape = ttl::flattenGridDims(detail->nodes.grid, known, 1);
  for (Value result : op->getResults())
    detail->results.push_back(compiler.slotOf(result));
  compiler.emit(op, runCore, {}).detail = std::move(detail);
  return llvm::Error::success();
}

static llvm::Error core(ttl::CoreOp op, FunctionCompiler &compiler) {
  return coordinates(op, op.getDims(), compiler);
}

static llvm::Error coreLinear(ttl::CoreLinearOp op, FunctionCompiler &compiler) {
  return coordinates(op, 1, compiler);
}

static llvm::Error gridSize(ttl::GridSizeOp op, FunctionCompiler &compiler) {
  SmallVector<int64_t> sizes = ttl::flattenGridDims(compiler.thread().grid, op.getDims(), 1);
  for (auto [result, size] : llvm::zip_equal(op->getResults(), sizes))
    compiler.define(result, Slot::of(size));
  return llvm::Error::success();
}

void interp::addNodeOps(OpTable &table) {
  table.add<ttl::CoreOp, core>();
  table.add<ttl::CoreLinearOp, coreLinear>();
  table.add<ttl::GridSizeOp, gridSize>();
}
