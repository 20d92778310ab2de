//===- Blocks.cpp - acquires and releases of blocks ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/Blocks.h"

#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Acquiring and releasing
//===--------------------------------------------------------------------------===//

Block Blocks::acquire(py::handle node, unsigned buffer, bool reserve) {
  KernelBuffer &source = walker.kernel.buffers[buffer];
  source.acquired = true;
  if (reserve)
    walker.kernel.noteWritten(buffer);
  if (walker.counted.contains({buffer, reserve}))
    return walker.counted.acquire(node, {buffer, reserve});
  mlir::Value cb = source.value();
  Location loc = walker.location(node);
  mlir::Value slot = reserve ? ttl::CBReserveOp::create(walker.builder, loc, cb).getBlock()
                             : ttl::CBWaitOp::create(walker.builder, loc, cb).getBlock();
  auto info = std::make_shared<BlockInfo>();
  unsigned id = nextId++;
  *info = {id, /*order=*/id, slot, buffer, reserve, walker.diagnostics.range(node), slot.getType(),
           {}, {},           false};
  Block block{info};
  walker.state.hold(block);
  return block;
}

void Blocks::publish(py::handle node, unsigned buffer) {
  KernelBuffer &source = walker.kernel.buffers[buffer];
  if (walker.kind == ThreadKind::Compute)
    walker.diagnostics.fail(
        node, fmt::format("{}.publish() must be called in a data movement thread, but '{}' is the "
                          "compute thread: move it to a @ttl.datamovement() function",
                          source.name, walker.threadName));
  source.acquired = true;
  ttl::CBPublishOp::create(walker.builder, walker.location(node), source.value());
}

Block Blocks::passOn(const BlockInfo &like, mlir::Value value, ArrayRef<Block> replaced) {
  auto info = std::make_shared<BlockInfo>(like);
  info->order = info->id = nextId++;
  info->block = value;
  ThreadState &state = walker.state;
  for (const Block &old : replaced) {
    info->order = std::min(info->order, old.info->order);
    state.release(*old.info);
  }
  Block block{info};
  state.hold(block);
  return block;
}

void Blocks::release(py::handle node, const Block &block) {
  if (block.info->ticket)
    return walker.counted.release(node, block);
  walker.held.requireName(block);
  walker.held.requireOrder(node, block);
  Location loc = walker.location(node);
  if (block.info->reserved)
    ttl::CBPushOp::create(walker.builder, loc, block.info->block);
  else
    ttl::CBPopOp::create(walker.builder, loc, block.info->block);
  walker.state.release(*block.info);
}

void Blocks::releaseOldest(py::handle node, unsigned buffer, bool push) {
  if (walker.counted.contains({buffer, push}))
    return walker.counted.releaseOldest(node, {buffer, push});
  const Block *oldest = walker.state.oldest(buffer, push);
  if (!oldest)
    walker.held.failNoBlock(node, {buffer, push});
  if (walker.state.unsure.count({buffer, push}))
    walker.held.tryForks({buffer, push});
  Block block = *oldest;
  walker.held.noteOldest(*block.info);
  release(node, block);
}

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

void Blocks::checkOperand(py::handle node, const Value &value) const {
  const Block *block = value.getIf<Block>();
  if (!block)
    return;
  const KernelBuffer &buffer = walker.kernel.buffers[block->info->buffer];
  if (!buffer.type().isTiled())
    walker.diagnostics.fail(node, fmt::format("a block of row-major buffer '{}' cannot be computed "
                                              "on: make the buffer from a tensor in tile layout",
                                              buffer.name));
}

void Blocks::noteWritten(py::handle node, const Block &block) {
  if (block.info->ticket)
    walker.counted.noteWritten(node, block);
  else if (block.info->reserved)
    walker.state.setFlag(block.info->id, ThreadState::written());
}

} // namespace ttjit::frontend
