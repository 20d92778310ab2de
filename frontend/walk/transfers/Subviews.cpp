//===- Subviews.cpp - parts of blocks that copies read or write ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Transfers.h"
#include "hw/facts/Words.h"
#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// Returns the first index of a part in one dimension. Checks the part's bounds now if the offset is
// known, otherwise when the kernel runs.
mlir::Value Transfers::partStart(py::handle node, const Block &block, unsigned dim,
                                 const Value &offset, int64_t size) {
  int64_t bound = ttl::getBlockShape(block.info->block.getType())[dim];
  std::string name = walker.kernel.buffers[block.info->buffer].name;
  std::optional<int64_t> known = Scalars::staticInt(offset);
  int64_t first = known.value_or(0);
  if (first < 0 || first + size > bound)
    walker.diagnostics.fail(
        node, fmt::format("a part of {} that begins at tile {} is out of range: dimension {} of a "
                          "block of '{}' has {}",
                          hw::plural(size, "tile"), first, dim, name, hw::plural(bound, "tile")));
  mlir::Value index = walker.scalars.asIndex(node, offset);
  if (!known)
    ttl::setIndexUnit(ttl::CheckIndexOp::create(walker.builder, walker.location(node), index, size,
                                                bound, dim, name, /*of_block=*/true),
                      ttl::indexUnit(dim, ttl::getBlockShape(block.info->block.getType()).size(),
                                     /*isTiled=*/true));
  return index;
}

BlockPart Transfers::subview(py::handle node, const Block &block, llvm::ArrayRef<Value> offsets,
                             llvm::ArrayRef<int64_t> sizes) {
  requireDataMovement(walker, node, "ttl.block.subview()");
  ArrayRef<int64_t> shape = ttl::getBlockShape(block.info->block.getType());
  if (offsets.size() != shape.size() || sizes.size() != shape.size())
    walker.diagnostics.fail(node,
                            fmt::format("subview() must get one offset and one extent for each "
                                        "dimension of the block, which has shape {}; found "
                                        "{} and {}",
                                        shapeText(shape), hw::plural(offsets.size(), "offset"),
                                        hw::plural(sizes.size(), "extent")));
  if (!cast<ttl::BlockType>(block.info->block.getType()).getCircularBuffer().isTiled())
    walker.diagnostics.fail(
        node, "the block of subview() must consist of tiles, found a block of scalars");
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(node);
  mlir::Value first = walker.indexConstant(node, 0);
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    mlir::Value extent = walker.indexConstant(node, shape[dim]);
    mlir::Value start = partStart(node, block, dim, offsets[dim], sizes[dim]);
    first = arith::MulIOp::create(builder, loc, first, extent);
    first = arith::AddIOp::create(builder, loc, first, start);
  }
  return {block, first, std::vector<int64_t>(sizes)};
}

} // namespace ttjit::frontend
