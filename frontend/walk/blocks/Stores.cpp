//===- Stores.cpp - stores into blocks ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/Stores.h"

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/BlockShapes.h"
#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// Fails if a store would convert between floats and integers: only ttl.typecast converts them.
static void checkElements(Walker &walker, py::handle node, const Block &block, const Value &value) {
  auto isFloat = [](mlir::Value v) {
    return ttl::getComputedType(v.getType()) == ttcore::DataType::Float32;
  };
  bool holdsFloats = isFloat(block.info->block);
  if (holdsFloats == isFloat(blockOperand(value)))
    return;
  walker.diagnostics.fail(node, fmt::format("{} cannot be stored into a block of '{}', which holds "
                                            "{}: convert them with ttl.typecast(x, dtype)",
                                            holdsFloats ? "integers" : "floats",
                                            walker.kernel.buffers[block.info->buffer].name,
                                            holdsFloats ? "floats" : "integers"));
}

// Says what to do if an expression and the block that it is stored into have different shapes.
static std::string adviceOnStore(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                 const std::string &buffer) {
  auto countsElements = [](ArrayRef<int64_t> shape) {
    return llvm::all_of(shape.take_back(2), [](int64_t extent) { return extent % 32 == 0; });
  };
  if (countsElements(from) && !countsElements(to))
    return fmt::format("shapes count tiles, not elements: write shape={}", shapeText(to));
  return fmt::format("make buffer '{}' with shape={}, or store an expression of shape {}", buffer,
                     shapeText(from), shapeText(to));
}

// Returns the flag for a store that adds to what was stored into the block since it was reserved;
// null if nothing was.
static mlir::Value accumulationFlag(Walker &walker, py::handle node, const Block &block) {
  if (block.info->ticket)
    return walker.counted.writtenFlag(node, block);
  Value flag = walker.state.flagOf(block.info->id);
  bool isFresh = areSame(flag, ThreadState::fresh());
  return isFresh ? mlir::Value() : walker.scalars.asI32(node, flag);
}

void storeToBlock(Walker &walker, py::handle node, const Block &block, const Value &given,
                  bool accumulate) {
  requireCompute(walker, node, "store()");
  const KernelBuffer &buffer = walker.kernel.buffers[block.info->buffer];
  if (!blockOperand(given))
    walker.diagnostics.fail(
        node, "the argument of store() must be a block or a block expression, found " +
                  describeNoBlock(given) +
                  (walker.scalars.typeOf(given)
                       ? "; ttl.block.fill(value, shape=block.shape) makes a block of a number"
                       : ""));
  walker.blocks.checkOperand(node, Value(block));
  walker.blocks.checkOperand(node, given);
  checkElements(walker, node, block, given);
  ArrayRef<int64_t> shape = ttl::getBlockShape(block.info->block.getType());
  if (isOpen(given))
    walker.shapes.close(given, shape);
  Value value = isOpen(given) ? given : walker.shapes.withLeadingOnes(node, given, shape);
  mlir::Value source = blockOperand(value);
  if (ttl::getBlockShape(source.getType()) != shape)
    walker.diagnostics.fail(
        node, fmt::format("shapes differ: an expression of shape {0} is stored into a block of "
                          "'{1}', which has shape {2}: {3}",
                          valueShape(value), buffer.name, valueShape(block),
                          adviceOnStore(ttl::getBlockShape(source.getType()), shape, buffer.name)));
  mlir::Value flag = accumulate ? accumulationFlag(walker, node, block) : mlir::Value();
  ttl::BlockStoreOp::create(walker.builder, walker.location(node), block.info->block, source, flag);
  walker.blocks.noteWritten(node, block);
}

void addToBlock(Walker &walker, py::handle node, const Block &block, const Value &operand) {
  if (block.info->reserved)
    return storeToBlock(walker, node, block, operand, /*accumulate=*/true);
  if (block.info->ticket)
    walker.diagnostics.fail(
        node, fmt::format("'+=' cannot change a block of '{}' that was waited for, because it "
                          "depends on run-time values how many blocks of that buffer the thread "
                          "holds: write x = x + ..., which makes an expression",
                          walker.kernel.buffers[block.info->buffer].name));
  // The packer cannot add to a block that was waited for: it gets a new value.
  storeToBlock(walker, node, block, walker.blockMath.binary(node, "Add", block, operand),
               /*accumulate=*/false);
}

} // namespace ttjit::frontend
