//===- RaceReports.cpp - the messages of the race check -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/RaceCheck.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw::check {

static const char *verb(const Use &use) { return use.writes ? "writes" : "reads"; }

static bool writeEqualBytes(const Use &a, const Use &b) {
  if (!a.writes || !b.writes || !a.transfer || !b.transfer || a.receipt || b.receipt)
    return false;
  const TransferState &one = *a.transfer, &other = *b.transfer;
  return one.bytes && one.address == other.address && one.bytes == other.bytes &&
         one.hash == other.hash;
}

void RaceCheck::report(const Use &earlier, const Use &later, const MemoryPlace &place) {
  bool isWatched = scope == RaceScope::All || earlier.receipt || later.receipt;
  if (!isWatched || writeEqualBytes(earlier, later) || found.size() == kMaxFindings ||
      !reported.insert(std::minmax(earlier.loc, later.loc)).second)
    return;
  if (earlier.receipt && later.receipt)
    reportReceipts(earlier, later, place);
  else if (earlier.receipt)
    reportReceipt(earlier, later, place);
  else if (later.receipt)
    reportReceipt(later, earlier, place);
  else
    reportUses(earlier, later, place);
}

NodeCoord RaceCheck::nodeOf(AgentId thread) const {
  int node = static_cast<int>(thread / kThreadsPerNode);
  return {node % program->gridX, node / program->gridX};
}

Fault &RaceCheck::addFinding(AgentId thread, uint32_t loc) {
  Fault &fault = found.emplace_back();
  fault.kind = FaultKind::DataRace;
  fault.location = names.location(loc);
  NodeCoord node = nodeOf(thread);
  fault.node = nodeOfDevice(*program, node.x, node.y);
  if (const ThreadConfig *config = names.configOf(thread))
    fault.thread = config->name;
  return fault;
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

std::string RaceCheck::whatIsMissing(const Use &earlier, const Use &later) {
  int line = names.location(earlier.loc).line;
  if (earlier.thread == later.thread)
    return fmt::format("the copy issued at line {} is still in flight: wait for it before line {}",
                       line, names.location(later.loc).line);
  if (earlier.transfer && knows(later, earlier.thread, earlier.transfer->issued + 1))
    return fmt::format("{} issued the copy at line {} before it signalled to {}, but did not wait "
                       "for it: wait before the signal",
                       nameOf(earlier.thread), line, nameOf(later.thread));
  if (earlier.thread / kThreadsPerNode == later.thread / kThreadsPerNode)
    return "nothing makes one thread wait for the other: a dataflow buffer or a semaphore can";
  return "nothing makes one node wait for the other: a pipe or a semaphore can, or each node may "
         "use pages of its own";
}

void RaceCheck::reportUses(const Use &earlier, const Use &later, const MemoryPlace &place) {
  std::string who = nameOf(later.thread);
  std::string other = nameOf(earlier.thread);
  Fault &fault = addFinding(later.thread, later.loc);
  fault.message = fmt::format("race on {}: {} {} it, and {} {} it; nothing orders the two",
                              names.of(place), who, verb(later), other, verb(earlier));
  fault.notes = {{fmt::format("{} {} it", other, verb(earlier)), names.location(earlier.loc)},
                 {whatIsMissing(earlier, later), {}}};
}

// Reports that a thread uses a slice while a block may arrive there.
void RaceCheck::reportReceipt(const Use &received, const Use &other, const MemoryPlace &place) {
  std::string sender = nameOf(received.thread);
  std::string receiver = nameOf(received.receipt->thread);
  Fault &fault = addFinding(other.thread, other.loc);
  fault.message =
      fmt::format("race on {}: {} {} it, and {} sends a block there; nothing orders the two",
                  names.of(place), nameOf(other.thread), verb(other), sender);
  fault.notes = {
      {fmt::format("{} sends the block", sender), names.location(received.loc)},
      {fmt::format("{} receives it", receiver), names.location(received.receipt->loc)},
      {fmt::format("a card writes the block into the tensor at any time from the send to "
                   "the wait of the receive: {} the slice in the receiving thread after "
                   "that wait, or in a thread to which it then signals with a "
                   "ttl.Semaphore",
                   other.writes ? "write" : "read"),
       {}}};
}

// Reports that two blocks may arrive in one slice at the same time.
void RaceCheck::reportReceipts(const Use &first, const Use &second, const MemoryPlace &place) {
  std::string one = nameOf(first.thread);
  std::string other = nameOf(second.thread);
  Fault &fault = addFinding(second.receipt->thread, second.receipt->loc);
  bool isOne = first.thread == second.thread;
  fault.message =
      isOne
          ? fmt::format("race on {}: {} sends two blocks there, and does not wait until the first "
                        "one was received",
                        names.of(place), one)
          : fmt::format("race on {}: {} and {} both send a block there; nothing orders the two",
                        names.of(place), one, other);
  fault.notes = {{fmt::format("{} sends the first block", one), names.location(first.loc)},
                 {fmt::format("{} sends the second block", other), names.location(second.loc)},
                 {fmt::format("{} receives the first block", nameOf(first.receipt->thread)),
                  names.location(first.receipt->loc)},
                 {"a card writes each block into the tensor as soon as it arrives: give each one a "
                  "slice of its own, for example at index pipe.source_device_index, or send the "
                  "second one after a signal that the first one was used",
                  {}}};
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

const SemaphoreConfig *RaceCheck::semaphoreAt(uint32_t address) const {
  auto it = std::ranges::find(ofUser, address, [&](const SemaphoreConfig *semaphore) {
    return arch.semaphoreAddress(semaphore->id);
  });
  return it == ofUser.end() ? nullptr : *it;
}

static std::string actOf(const WordStep &step) {
  switch (step.use) {
  case WordUse::Set:
    return fmt::format("sets it to {}", step.value);
  case WordUse::Increment:
    return "increments it";
  case WordUse::ExactWait:
    return fmt::format("waits until it is {}", step.value);
  }
  return {};
}

static const char *adviceFor(const WordStep &a, const WordStep &b) {
  if (a.use == WordUse::ExactWait || b.use == WordUse::ExactWait)
    return "the value may pass before the wait looks at it, so that the wait never ends: wait with "
           "wait_ge() for a value that only grows";
  if (a.use == b.use)
    return "the semaphore keeps the value that comes last: let one thread set it";
  return "an increment that comes first is lost: never reset the semaphore, and wait with "
         "wait_ge() "
         "for values that grow, or signal after the reset that others may increment again";
}

void RaceCheck::reportSteps(const WordKey &word, const WordStep &earlier, const WordStep &later) {
  if (found.size() == kMaxFindings || !reported.insert(std::minmax(earlier.loc, later.loc)).second)
    return;
  // Report at the wait for an exact value, else at the reset: the user must change that one.
  auto rank = [](const WordStep &step) {
    return step.use == WordUse::ExactWait ? 2 : step.use == WordUse::Set ? 1 : 0;
  };
  bool isFirst = rank(earlier) > rank(later);
  const WordStep &main = isFirst ? earlier : later, &other = isFirst ? later : earlier;
  std::string who = nameOf(other.thread);
  Fault &fault = addFinding(main.thread, main.loc);
  fault.message =
      fmt::format("race on semaphore '{}' of {}: {} {}, and {} {}; nothing orders the "
                  "two",
                  semaphoreAt(word.address)->name, describeNode(*program, word.x, word.y),
                  nameOf(main.thread), actOf(main), who, actOf(other));
  fault.notes = {{fmt::format("{} {}", who, actOf(other)), names.location(other.loc)},
                 {adviceFor(main, other), {}}};
}

} // namespace ttjit::hw::check
