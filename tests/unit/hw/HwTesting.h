//===- HwTesting.h - programs for tests of the device ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds programs whose kernel threads are lambdas that call ttl_hw_*. CALL returns from the lambda
// if the call fails, as an interpreter does.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_HWTESTING_H
#define TTJIT_TESTS_UNIT_HW_HWTESTING_H

#include "hw/abi/KernelThread.h"
#include "hw/device/Decisions.h"
#include "hw/device/Device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

// ThreadSanitizer needs half a megabyte and several mappings for each stack, and further memory for
// its own use.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TTJIT_THREAD_SANITIZER 1
#endif
#endif

namespace ttjit::hw::testing {

#define CALL(call)                                                                                 \
  do {                                                                                             \
    if (::ttjit::hw::Status status = (call); status != ::ttjit::hw::Status::Ok)                    \
      return status;                                                                               \
  } while (false)

inline ArchDesc smallChip() { return defaultArch(); }

/// A program that has one node unless a test sets another grid. Position i of the program is line i
/// of "kernel.py".
struct TestProgram : Program {
  TestProgram() {
    name = "test";
    for (int line = 0; line < 100; ++line)
      locations.push_back({"kernel.py", line, 1, line, 2});
  }

  void grid(int x, int y) {
    gridX = x;
    gridY = y;
    numNodes = x * y;
  }

  /// Adds a buffer. Buffers get consecutive indices and addresses. Returns the index.
  int buffer(std::string name, uint32_t pages, uint32_t pageBytes = 4096,
             DataFormat format = DataFormat::Float32, uint32_t pagesPerBlock = 1) {
    BufferConfig config;
    config.name = std::move(name);
    config.index = static_cast<int>(buffers.size());
    config.address = nextAddress;
    config.pageBytes = pageBytes;
    config.numPages = pages;
    config.pagesPerBlock = pagesPerBlock;
    config.format = format;
    config.location = {"kernel.py", 90 + config.index, 1, 90 + config.index, 2};
    nextAddress += (pages * pageBytes + 63) / 64 * 64;
    buffers.push_back(std::move(config));
    return buffers.back().index;
  }

  int semaphore(std::string name, uint32_t initial = 0) {
    semaphores.push_back({std::move(name), static_cast<int>(semaphores.size()), initial});
    return semaphores.back().id;
  }

  void thread(Processor processor, ThreadEntry entry, std::vector<uint32_t> args = {}) {
    static constexpr const char *names[] = {"reader", "writer", "compute"};
    auto number = static_cast<int>(processor);
    ThreadConfig config;
    config.name = names[number];
    config.processor = processor;
    config.entry = std::move(entry);
    config.commonArgs = std::move(args);
    config.location = {"kernel.py", 80 + number, 1, 80 + number, 2};
    config.endLocation = {"kernel.py", 85 + number, 1, 85 + number, 2};
    threads.push_back(std::move(config));
  }
  void reader(ThreadEntry entry, std::vector<uint32_t> args = {}) {
    thread(Processor::RISCV_1, std::move(entry), std::move(args));
  }
  void writer(ThreadEntry entry, std::vector<uint32_t> args = {}) {
    thread(Processor::RISCV_0, std::move(entry), std::move(args));
  }
  void compute(ThreadEntry entry) { thread(Processor::Compute, std::move(entry)); }

  uint32_t nextAddress = 112 * 1024;
};

inline RunOptions fair() { return {}; }
inline RunOptions greedy() {
  RunOptions options;
  options.schedule = SchedulePolicy::Greedy;
  return options;
}
/// Returns options for a run on several host threads.
inline RunOptions parallel(unsigned hostThreads) {
  RunOptions options;
  options.schedule = SchedulePolicy::Parallel;
  options.hostThreads = hostThreads;
  return options;
}
inline RunOptions seeded(uint64_t seed) {
  RunOptions options;
  options.schedule = SchedulePolicy::Random;
  options.seed = seed;
  return options;
}
inline RunOptions delivered(DeliveryPolicy policy) {
  RunOptions options;
  options.delivery = policy;
  return options;
}

/// Fills a page that this thread has reserved. The bytes come by a transfer from the thread's own
/// L1, which counts as writing the page.
inline Status fillPage(KernelThread *t, int cb, uint32_t page = 0) {
  uint32_t bytes = t->buffers[cb].pageBytes;
  uint32_t address = ttl_hw_get_write_ptr(t, cb) + page * bytes;
  constexpr uint32_t scratch = 112 * 1024 - 8192;
  uint64_t source = ttl_hw_get_noc_addr(t, t->x + 18, t->y + 18, scratch);
  CALL(ttl_hw_noc_async_read(t, source, address, static_cast<int32_t>(std::min(bytes, 8192u))));
  return ttl_hw_noc_async_read_barrier(t);
}

/// Reserves, fills and pushes `pages` pages.
inline Status produce(KernelThread *t, int cb, int32_t pages = 1) {
  CALL(ttl_hw_cb_reserve_back(t, cb, pages));
  for (int32_t page = 0; page < pages; ++page)
    CALL(fillPage(t, cb, static_cast<uint32_t>(page)));
  return ttl_hw_cb_push_back(t, cb, pages);
}
inline Status consume(KernelThread *t, int cb, int32_t pages = 1) {
  CALL(ttl_hw_cb_wait_front(t, cb, pages));
  return ttl_hw_cb_pop_front(t, cb, pages);
}

inline ::testing::AssertionResult succeeded(const RunResult &result) {
  if (!result.fault)
    return ::testing::AssertionSuccess();
  auto failure = ::testing::AssertionFailure()
                 << result.fault->message << " at line " << result.fault->location.line;
  for (const FaultNote &note : result.fault->notes)
    failure << "\n  note: " << note.message << " (" << note.location.line << ")";
  return failure;
}

/// Returns whether the run ended with a fault of this kind whose message contains `text`.
inline ::testing::AssertionResult faulted(const RunResult &result, FaultKind kind,
                                          const std::string &text, int line = 0) {
  if (!result.fault)
    return ::testing::AssertionFailure() << "no fault";
  const Fault &fault = *result.fault;
  if (fault.kind != kind || fault.message.find(text) == std::string::npos ||
      (line && fault.location.line != line))
    return ::testing::AssertionFailure() << "kind " << static_cast<int>(fault.kind) << ", line "
                                         << fault.location.line << ": " << fault.message;
  return ::testing::AssertionSuccess();
}

inline bool hasNote(const RunResult &result, const std::string &text, int line = 0) {
  return result.fault && std::any_of(result.fault->notes.begin(), result.fault->notes.end(),
                                     [&](const FaultNote &note) {
                                       return note.message.find(text) != std::string::npos &&
                                              (!line || note.location.line == line);
                                     });
}

/// Runs one program on a device of the default chip.
inline RunResult runOnce(const Program &program, const RunOptions &options = {}) {
  Device device(smallChip());
  return device.run(program, options);
}

/// An event listener that keeps every event.
struct EventLog : EventListener {
  void onEvent(const Event &event) override { events.push_back(event); }
  size_t count(EventKind kind) const {
    return static_cast<size_t>(std::count_if(events.begin(), events.end(),
                                             [kind](const Event &e) { return e.kind == kind; }));
  }
  std::vector<Event> events;
};

} // namespace ttjit::hw::testing

#endif // TTJIT_TESTS_UNIT_HW_HWTESTING_H
