//===- Faults.cpp - records the fault that ends a run -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Faults.h"

#include "hw/device/HostMemory.h"
#include "hw/device/NodeRanges.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ttjit::hw {

Fault Faults::make(const ThreadContext *thread, FaultKind kind, std::string message) const {
  Fault result;
  result.kind = kind;
  result.message = std::move(message);
  if (!thread)
    return result;
  result.location = index.location(*thread);
  result.node = nodeOfDevice(program, thread->x, thread->y);
  result.thread = thread->config->name;
  return result;
}

Status Faults::report(const ThreadContext *thread, FaultKind kind, std::string message,
                      std::vector<FaultNote> notes) {
  if (thread && thread->partition->cancelled())
    return Status::Cancelled;
  Fault result = make(thread, kind, std::move(message));
  result.notes = std::move(notes);
  bool tells = thread && listeners.areThere();
  std::string text = tells ? result.message : "";
  record(std::move(result), thread);
  // The fault is recorded before the listeners are told, so a throwing listener cannot
  // lose it.
  if (tells)
    listeners.noteText(*thread, EventKind::Fault, text, static_cast<uint64_t>(kind));
  return Status::Fault;
}

bool Faults::refuse(std::string message, const SourceLocation &location) {
  Fault fault = make(nullptr, FaultKind::Resource, std::move(message));
  fault.location = location;
  record(std::move(fault), nullptr);
  return false;
}

Status Faults::reportHostMemory(const ThreadContext *thread) {
  return report(thread, FaultKind::Resource,
                fmt::format("the host has no memory left to run this kernel on {}; {} of memory "
                            "are available",
                            plural(program.numNodes, "node"), describeBytes(availableMemory())));
}

Status Faults::reportException(const ThreadContext *thread) noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc &) {
      return reportHostMemory(thread);
    } catch (const std::length_error &) { // a container would exceed its largest size
      return reportHostMemory(thread);
    } catch (const std::exception &error) {
      return report(thread, FaultKind::Runtime, error.what());
    } catch (...) {
      return report(thread, FaultKind::Runtime, "unknown exception in a kernel thread");
    }
  } catch (...) { // there is no memory for the message, or a listener threw
    Fault brief;
    brief.kind = FaultKind::Resource;
    brief.message = "no host memory"; // a short string needs no memory
    record(std::move(brief), thread);
    return Status::Fault;
  }
}

// A partition stops at its first fault; the others continue up to the same moment. So if no node
// depends on another one, the fault is the one that a run on one host thread under Fair has.
void Faults::record(Fault fault, const ThreadContext *thread) {
  Moment now = 0;
  if (thread) {
    if (thread->partition->cancelled())
      return;
    thread->partition->cancel();
    now = momentOf(*thread);
  }
  {
    std::lock_guard lock(mutex);
    if (!first || now < moment) {
      first = std::move(fault);
      moment = now;
    }
  }
  partitions.stop(now);
}

void Faults::replace(Fault fault, Moment its) {
  {
    std::lock_guard lock(mutex);
    first = std::move(fault);
    moment = its;
  }
  partitions.stop(0);
}

void Faults::reportInterrupt(const ThreadContext *running) {
  reportForAll(make(running, FaultKind::Runtime, "interrupted"));
}

// Returns the thread that the fault names; if it names none, an unfinished thread or null.
const ThreadContext *Faults::threadFor(const Fault &fault) {
  const ThreadContext *unfinished = nullptr;
  for (const ThreadContext &thread : grid.threads()) {
    if (!thread.config || thread.state == ThreadPhase::Finished)
      continue;
    unfinished = unfinished ? unfinished : &thread;
    NodeCoord node = nodeOfDevice(program, thread.x, thread.y);
    if (node == fault.node && thread.config->name == fault.thread)
      return &thread;
  }
  return unfinished;
}

void Faults::reportForAll(Fault fault) {
  if (!listeners.areThere())
    return record(std::move(fault), nullptr);
  const ThreadContext *thread = threadFor(fault);
  auto kind = static_cast<uint64_t>(fault.kind);
  std::string text = fault.message;
  bool isFirst = isEmpty();
  record(std::move(fault), nullptr);
  if (thread && isFirst)
    listeners.noteText(*thread, EventKind::Fault, text, kind);
}

} // namespace ttjit::hw
