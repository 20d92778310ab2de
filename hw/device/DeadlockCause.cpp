//===- DeadlockCause.cpp - the likely cause of a deadlock ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/DeadlockCause.h"

#include "hw/device/Describe.h"
#include "hw/device/Machine.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw {

static std::string nameOf(const ThreadContext &thread) {
  return fmt::format("{}()", thread.config->name);
}

// The text for a thread that waits for the other side of a buffer, whose thread has finished.
static std::string unequalCounts(const ProgramIndex &index, const ThreadContext &thread,
                                 const ThreadContext &supplier) {
  const BufferConfig &config = *index.bufferConfig(thread.wait.object);
  const CircularBuffer &buffer = thread.buffers[thread.wait.object];
  std::string pushed = describePages(config, buffer.received);
  std::string popped = describePages(config, buffer.acked);
  std::string needed = describePages(config, thread.wait.needed);
  bool front = thread.wait.kind == WaitKind::Front;
  if (buffer.resets)
    return fmt::format(
        "the last reset of '{}' dropped all its blocks, since then {} pushed {} and {} "
        "popped {}: push and pop equally often between two resets",
        config.name, nameOf(front ? supplier : thread), pushed, nameOf(front ? thread : supplier),
        popped);
  if (front)
    return fmt::format("{} pushed {} of '{}' in all, and {} waits for {} after {}: make the loops "
                       "of both run equally often",
                       nameOf(supplier), pushed, config.name, nameOf(thread), needed, popped);
  return fmt::format("{} popped {} of '{}' in all, and {} reserves {} after {}: make the loops of "
                     "both run equally often, and pop in each iteration",
                     nameOf(supplier), popped, config.name, nameOf(thread), needed, pushed);
}

static const WordRole *roleOf(const ProgramIndex &index, const ThreadContext &thread) {
  return thread.wait.kind == WaitKind::Engine
             ? thread.wait.role
             : index.roleAt(thread.node->number, thread.wait.object);
}

// The text for a thread that waits for data or room of a pipe and has both ends of the pipe.
static std::string isBothEnds(const ProgramIndex &index, const ThreadContext &thread) {
  const WordRole *role = roleOf(index, thread);
  if (!role)
    return {};
  bool isRoom = role->what.starts_with("room");
  return fmt::format("{} also {} this pipe itself: it must {}", nameOf(thread),
                     isRoom ? "receives from" : "sends over",
                     isRoom ? "receive before it sends again"
                            : "send before it waits for the data");
}

// The text for a thread that waits for something that it would do itself later.
static std::string waitsForItself(const ProgramIndex &index, const ThreadContext &thread) {
  if (thread.wait.kind == WaitKind::Any)
    return {};
  if (!waitsForBuffer(thread))
    return isBothEnds(index, thread);
  const BufferConfig &config = *index.bufferConfig(thread.wait.object);
  if (thread.wait.kind == WaitKind::Front)
    return fmt::format("{} is also the thread that pushes '{}': it must push the block before it "
                       "waits for it",
                       nameOf(thread), config.name);
  return fmt::format("{} is also the thread that pops '{}': it must pop a block before it "
                     "reserves the next one, or the buffer needs a larger block_count",
                     nameOf(thread), config.name);
}

// Returns what a thread waits for, such as "room in 'a'".
static std::string needOf(const ProgramIndex &index, const ThreadContext &thread) {
  if (thread.wait.kind == WaitKind::Reset)
    return "the other threads at a reset";
  if (waitsForBuffer(thread))
    return fmt::format("{} '{}'", thread.wait.kind == WaitKind::Front ? "a block of" : "room in",
                       index.bufferConfig(thread.wait.object)->name);
  const WordRole *role = roleOf(index, thread);
  return role ? role->what : "a semaphore";
}

static std::string nameOfNode(const ThreadContext &thread) {
  return describeNode(thread.machine->program, thread.x, thread.y);
}

// The text for threads that wait for each other in a circle, which begins at `first`.
static std::string circle(const ProgramIndex &index,
                          const std::vector<const ThreadContext *> &chain,
                          const ThreadContext *first) {
  constexpr size_t kMost = 4;
  auto begin = std::ranges::find(chain, first);
  size_t size = size_t(chain.end() - begin);
  std::string text;
  const ThreadContext *full = nullptr;
  for (auto hop = begin; hop != chain.end(); ++hop) {
    if (waitsForBuffer(**hop) && (*hop)->wait.kind == WaitKind::Reserve)
      full = *hop;
    if (size_t(hop - begin) < kMost)
      text += fmt::format("{}{} of {} waits for {}", text.empty() ? "" : ", ", nameOf(**hop),
                          nameOfNode(**hop), needOf(index, **hop));
  }
  text = fmt::format("{} wait for each other in a circle: {}{}", plural(size, "thread"), text,
                     size > kMost ? ", and so on" : "");
  if (full)
    return text + fmt::format("; a larger block_count of '{}', or another order, breaks it",
                              index.bufferConfig(full->wait.object)->name);
  return text + "; let one of them do first what the other one waits for";
}

// The text for a thread that waits for the other end of a pipe, whose thread has finished.
static std::string missingEnd(const ProgramIndex &index, const ThreadContext &thread,
                              const ThreadContext &supplier) {
  std::string need = needOf(index, thread);
  bool isRoom = need.starts_with("room");
  return fmt::format("{} of {} has finished without this {}", nameOf(supplier),
                     nameOfNode(supplier),
                     isRoom ? "receive: it must receive as often as the other node sends"
                            : "send: it must send as often as the other node receives");
}

std::string likelyCause(const ProgramIndex &index, const std::vector<const ThreadContext *> &chain,
                        const ThreadContext *supplier) {
  if (chain.empty() || !supplier)
    return {};
  const ThreadContext &last = *chain.back();
  if (supplier == &last)
    return waitsForItself(index, last);
  if (std::ranges::find(chain, supplier) != chain.end())
    return circle(index, chain, supplier);
  if (supplier->state != ThreadPhase::Finished)
    return {};
  if (last.wait.kind == WaitKind::Reset)
    return fmt::format("{} reaches fewer resets than {}: all threads of a node must reach each "
                       "reset equally often",
                       nameOf(*supplier), nameOf(last));
  if (waitsForBuffer(last))
    return unequalCounts(index, last, *supplier);
  return last.wait.kind == WaitKind::Any ? std::string() : missingEnd(index, last, *supplier);
}

} // namespace ttjit::hw
