//===- Shorthands.cpp - expands abbreviations ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Shorthands.h"

#include "passes/ttl/Aliases.h"
#include "passes/ttl/RegionInliner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Makes users index the window's accessor instead of the window. If that accessor is a
// window itself, it is lowered later in the same way.
static LogicalResult lowerWindow(ttl::GridSliceOp window) {
  ArrayRef<int64_t> factors = window.getBlockFactors();
  for (Operation *user : llvm::make_early_inc_range(window.getResult().getUsers())) {
    auto access = dyn_cast<ttl::IndexAccessorOp>(user);
    if (!access)
      return user->emitError(
          "cannot take a node's window of a tensor: only ttl.index_accessor can");
    OpBuilder builder(access);
    Location loc = access.getLoc();
    SmallVector<Type> types(factors.size(), builder.getIndexType());
    auto core = ttl::CoreOp::create(builder, loc, types, builder.getI64IntegerAttr(factors.size()));
    for (auto [i, factor] : llvm::enumerate(factors)) {
      Value extent = arith::ConstantIndexOp::create(builder, loc, factor);
      Value start = arith::MulIOp::create(builder, loc, core.getResult(i), extent);
      OpOperand &index = access->getOpOperand(i + 1);
      index.set(arith::AddIOp::create(builder, loc, start, index.get()));
    }
    access.getAccessorMutable().assign(window.getAccessor());
  }
  window.erase();
  return success();
}

FailureOr<ShorthandCounts> ttjit::expandShorthands(Operation *root) {
  ShorthandCounts counts;
  FailureOr<unsigned> aliases = replaceAliases(root);
  if (failed(aliases))
    return failure();
  counts.aliases = *aliases;
  SmallVector<ttl::GridSliceOp> windows;
  root->walk([&](ttl::GridSliceOp window) { windows.push_back(window); });
  counts.windows = windows.size();
  for (ttl::GridSliceOp window : llvm::reverse(windows))
    if (failed(lowerWindow(window)))
      return failure();
  inlineComputeRegions(root);
  return counts;
}
