//===- Faults.cpp - recording faults --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/HostMemory.h"
#include "hw/device/Machine.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ttjit::hw {

const SourceLocation &Machine::location(uint32_t loc) const {
  static const SourceLocation unknown;
  return loc < program.locations.size() ? program.locations[loc] : unknown;
}

const SourceLocation &Machine::location(const ThreadContext &thread) const {
  const SourceLocation &call = location(thread.loc);
  return call.line ? call : thread.config->location;
}

Fault Machine::faultOf(const ThreadContext *thread, FaultKind kind, std::string message) const {
  Fault result;
  result.kind = kind;
  result.message = std::move(message);
  if (!thread)
    return result;
  result.location = location(*thread);
  result.node = {thread->x, thread->y};
  result.thread = thread->config->name;
  return result;
}

Status Machine::fault(ThreadContext *thread, FaultKind kind, std::string message,
                      std::vector<FaultNote> notes) {
  if (thread && cancelled(*thread))
    return Status::Cancelled;
  Fault result = faultOf(thread, kind, std::move(message));
  result.notes = std::move(notes);
  std::string text = watched ? result.message : "";
  record(std::move(result), thread);
  // The fault is recorded before the listeners are told, so a throwing listener cannot
  // lose it.
  if (thread && watched)
    noteText(*thread, EventKind::Fault, text, static_cast<uint64_t>(kind));
  return Status::Fault;
}

Status Machine::faultOfHostMemory(ThreadContext *thread) {
  return fault(thread, FaultKind::Resource,
               fmt::format("the host has no memory left to run this kernel on {}; {} of memory "
                           "are available",
                           plural(program.numNodes, "node"), describeBytes(availableMemory())));
}

Status Machine::faultFromException(ThreadContext *thread) noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc &) {
      return faultOfHostMemory(thread);
    } catch (const std::length_error &) { // a container would exceed its largest size
      return faultOfHostMemory(thread);
    } catch (const std::exception &error) {
      return fault(thread, FaultKind::Runtime, error.what());
    } catch (...) {
      return fault(thread, FaultKind::Runtime, "unknown exception in a kernel thread");
    }
  } catch (...) { // there is no memory for the message, or a listener threw
    Fault brief;
    brief.kind = FaultKind::Resource;
    brief.message = "no host memory"; // a short string needs no memory
    record(std::move(brief), thread);
    return Status::Fault;
  }
}

// A partition stops at its first fault. The others go on up to the same moment. So if no node
// depends on another one, the fault is that of one host thread under Fair.
void Machine::record(Fault fault, ThreadContext *thread) {
  Moment moment = 0;
  if (thread) {
    if (cancelled(*thread))
      return;
    thread->partition->cancel();
    moment = thread->partition->scheduler.momentOf(*thread);
  }
  {
    std::lock_guard lock(faultMutex);
    if (!firstFault || moment < faultMoment) {
      firstFault = std::move(fault);
      faultMoment = moment;
    }
  }
  partitions.stop(moment);
}

void Machine::recordInterrupt(ThreadContext *running) {
  recordForAll(faultOf(running, FaultKind::Runtime, "interrupted"));
}

// The event belongs to the thread that the fault names, else to any unfinished thread.
void Machine::recordForAll(Fault fault) {
  if (!watched)
    return record(std::move(fault), nullptr);
  ThreadContext *named = nullptr, *unfinished = nullptr;
  for (ThreadContext &thread : threads) {
    if (!thread.config || thread.state == ThreadState::Finished)
      continue;
    unfinished = unfinished ? unfinished : &thread;
    if (!named && thread.x == fault.node.x && thread.y == fault.node.y &&
        thread.config->name == fault.thread)
      named = &thread;
  }
  ThreadContext *thread = named ? named : unfinished;
  auto kind = static_cast<uint64_t>(fault.kind);
  std::string text = fault.message;
  bool isFirst = !firstFault;
  record(std::move(fault), nullptr);
  if (thread && isFirst)
    noteText(*thread, EventKind::Fault, text, kind);
}

} // namespace ttjit::hw
