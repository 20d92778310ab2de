//===- PageAliases.cpp - pages whose bytes are not copied ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/PageAliases.h"

#include "hw/abi/Inline.h"
#include "hw/device/BufferPages.h"
#include "hw/device/Node.h"
#include "hw/device/ThreadContext.h"

#include <cstring>

namespace ttjit::hw {

namespace {

// Returns whether the transfer fills whole pages of a buffer with whole pages of a tensor.
bool movesWholePages(const Transfer &t) {
  const CircularBuffer *buffer = t.local.buffer;
  if (!buffer || buffer->pageBytes != t.tensor->pageBytes || t.offset ||
      t.bytes != static_cast<uint64_t>(t.local.count) * buffer->pageBytes)
    return false;
  return t.destination == t.owner->l1 + fast::pageAddress(*buffer, t.local.first);
}

// Calls `visit(buffer, page)` for the aliases that [address, address + bytes) touches.
template <typename Visit>
void forEachAlias(Node &node, uint32_t address, uint64_t bytes, Visit visit) {
  if (!node.numAliases)
    return;
  for (uint32_t i = 0; i < node.aliasingBuffers; ++i) {
    CircularBuffer &buffer = node.buffers[i];
    if (!buffer.mayAlias)
      continue;
    auto [first, pages] = pagesWithin(buffer, address, bytes);
    for (uint32_t page = first; page < first + pages; ++page)
      if (buffer.aliases[page])
        visit(buffer, page);
  }
}

void forget(Node &node, CircularBuffer &buffer, uint32_t page) {
  buffer.aliases[page] = nullptr;
  --node.numAliases;
}

} // namespace

bool aliasPages(const Transfer &t) {
  if (!t.tensor || t.tensor->tiles || !t.tensor->isConstant || !movesWholePages(t) ||
      !t.local.buffer->mayAlias)
    return false;
  const uint8_t **alias = t.local.buffer->aliases + t.local.first;
  uint32_t inRun = t.local.count / t.runs, known = 0;
  for (uint32_t run = 0; run < t.runs; ++run)
    for (uint32_t page = 0; page < inRun; ++page, ++alias) {
      known += *alias != nullptr;
      *alias = t.source + run * t.hostStep + page * uint64_t(t.tensor->pageBytes);
    }
  t.owner->node->numAliases += t.local.count - known;
  return true;
}

void settlePage(Node &node, CircularBuffer &buffer, uint32_t page) {
  std::memcpy(node.memory.l1 + fast::pageAddress(buffer, page), buffer.aliases[page],
              buffer.pageBytes);
  forget(node, buffer, page);
}

void settle(Node &node, uint32_t address, uint64_t bytes) {
  forEachAlias(node, address, bytes,
               [&](CircularBuffer &buffer, uint32_t page) { settlePage(node, buffer, page); });
}

void settleAround(Node &node, uint32_t address, uint64_t bytes) {
  forEachAlias(node, address, bytes, [&](CircularBuffer &buffer, uint32_t page) {
    uint64_t begin = fast::pageAddress(buffer, page);
    if (address <= begin && begin + buffer.pageBytes <= address + bytes)
      forget(node, buffer, page);
    else
      settlePage(node, buffer, page);
  });
}

void settleForGood(Node &node, uint32_t address) {
  for (uint32_t i = 0; i < node.aliasingBuffers; ++i) {
    CircularBuffer &buffer = node.buffers[i];
    uint64_t bytes = static_cast<uint64_t>(buffer.pageBytes) * buffer.numPages;
    if (address < buffer.address || address - buffer.address >= bytes)
      continue;
    settle(node, buffer.address, bytes);
    buffer.mayAlias = 0;
  }
}

} // namespace ttjit::hw
