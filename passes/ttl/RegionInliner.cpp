//===- RegionInliner.cpp - replaces regions by their bodies -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/RegionInliner.h"

#include "ir/TTL/DiscardableAttrs.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Moves the body to before `op` and returns the values that it yields.
static SmallVector<Value> spliceBody(Operation *op, ValueRange inputs) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
    argument.replaceAllUsesWith(input);
  Operation *yield = body.getTerminator();
  SmallVector<Value> yielded(yield->getOperands());
  yield->erase();
  op->getBlock()->getOperations().splice(Block::iterator(op), body.getOperations());
  if (op->getNumResults() != 0)
    op->replaceAllUsesWith(yielded);
  return yielded;
}

static void inlineRegion(ttl::ComputeRegionOp op) {
  if (op.getKeepInDst())
    for (Operation &inner : op.getBody().front())
      if (ttl::isBlockExpression(&inner))
        inner.setAttr(ttl::kKeepInDSTAttr, UnitAttr::get(op.getContext()));
  SmallVector<Value> yielded = spliceBody(op, op.getInputs());
  OpBuilder builder(op);
  for (auto [output, value] : llvm::zip(op.getOutputs(), yielded))
    ttl::BlockStoreOp::create(builder, op.getLoc(), output, value, Value());
  op.erase();
}

void ttjit::inlineComputeRegions(Operation *root) {
  // walk() visits regions inside a region before the region itself.
  SmallVector<Operation *> regions;
  root->walk([&](Operation *op) {
    if (isa<ttl::ComputeRegionOp, ttl::BlockComputeOp>(op))
      regions.push_back(op);
  });
  for (Operation *op : regions) {
    if (auto region = dyn_cast<ttl::ComputeRegionOp>(op)) {
      inlineRegion(region);
      continue;
    }
    spliceBody(op, {});
    op->erase();
  }
}
