//===- DebuggerCalls.cpp - functions that a debugger calls --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/DebuggerCalls.h"

#include "hw/device/Machine.h"
#include "hw/device/NodeRanges.h"
#include "hw/device/PrintValues.h"
#include "hw/device/SignalGuard.h"

#include <fmt/format.h>

using namespace ttjit::hw;

// Keeps the text until the next call and returns it.
static const char *keep(std::string text) {
  static std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

static constexpr char kNobody[] = "no kernel thread runs on this host thread: select another one";

const char *ttl_debug_where() {
  const ThreadContext *thread = runningThread();
  return thread ? keep(fmt::format("{} of {}", thread->config->name,
                                   describeNode(thread->machine->program, thread->x, thread->y)))
                : kNobody;
}

const char *ttl_debug_buffers() {
  const ThreadContext *thread = runningThread();
  if (!thread)
    return kNobody;
  std::string text;
  for (const BufferConfig &config : thread->machine->program.buffers) {
    const CircularBuffer &state = thread->node->buffers[config.index];
    std::string line = describeState(config, state);
    line.pop_back();
    text += fmt::format("{} filled={} reserved={} waited={}\n", line, state.received - state.acked,
                        state.reserved, state.waited);
  }
  return keep(text.empty() ? "the program has no buffers\n" : text);
}

const char *ttl_debug_block(const char *buffer) {
  const ThreadContext *thread = runningThread();
  if (!thread)
    return kNobody;
  for (const BufferConfig &config : thread->machine->program.buffers) {
    const CircularBuffer &state = thread->node->buffers[config.index];
    if (config.name != buffer)
      continue;
    if (!state.waited && !state.reserved)
      return keep(fmt::format("no block of '{}' is reserved or waited for\n", config.name));
    uint32_t page = state.waited ? state.readPage : state.writePage;
    return keep(describeBlock(config, state, thread->node->memory.l1, page));
  }
  return keep(fmt::format("there is no buffer '{}': see `ttl buffers`\n", buffer));
}

const char *ttl_debug_block_at(unsigned address) {
  const ThreadContext *thread = runningThread();
  if (!thread)
    return kNobody;
  for (const BufferConfig &config : thread->machine->program.buffers) {
    const CircularBuffer &state = thread->node->buffers[config.index];
    uint32_t offset = address - state.address;
    if (address >= state.address && offset / state.pageBytes < state.numPages)
      return keep(describeBlock(config, state, thread->node->memory.l1, offset / state.pageBytes));
  }
  return keep(fmt::format("no buffer has the address {:#x}\n", address));
}
