//===- BorderTest.cpp - exceptions, full stacks, control words ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/Border.h"
#include "tests/unit/hw/HwTesting.h"

#include <cfenv>
#include <new>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

//===--------------------------------------------------------------------------===//
// Exceptions
//===--------------------------------------------------------------------------===//

// A listener that throws at every event of one kind.
struct ThrowingListener : EventListener {
  EventKind kind;
  explicit ThrowingListener(EventKind kind) : kind(kind) {}
  void onEvent(const Event &event) override {
    if (event.kind == kind)
      throw std::runtime_error("the listener gives up");
  }
};

// On a fault a thread is abandoned, as in compiled code: nothing on its stack is destroyed.
#define GUARDED(function, ...)                                                                     \
  do {                                                                                             \
    if (Guarded<&function>::call(&t, __VA_ARGS__) != Status::Ok)                                   \
      ttl_hw_abandon(&t);                                                                          \
  } while (false)

RunResult runWithListener(EventListener &listener, const RunOptions &base = {}) {
  TestProgram program;
  program.grid(2, 1);
  int cb = program.buffer("a", 1);
  program.reader([=](KernelThread &t) {
    for (int i = 0; i < 3; ++i) {
      GUARDED(ttl_hw_cb_reserve_back, cb, 1);
      uint64_t source = ttl_hw_get_noc_addr(&t, t.x + 18, t.y + 18, 104 * 1024);
      GUARDED(ttl_hw_noc_async_read, source, ttl_hw_get_write_ptr(&t, cb), 4096);
      if (Guarded<&ttl_hw_noc_async_read_barrier>::call(&t) != Status::Ok)
        ttl_hw_abandon(&t);
      GUARDED(ttl_hw_cb_push_back, cb, 1);
    }
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) {
    for (int i = 0; i < 3; ++i) {
      GUARDED(ttl_hw_cb_wait_front, cb, 1);
      GUARDED(ttl_hw_cb_pop_front, cb, 1);
    }
    return Status::Ok;
  });
  RunOptions options = base;
  options.listeners = {&listener};
  return runOnce(program, options);
}

TEST(Border, ThrowingListenerEndsTheRun) {
  for (EventKind kind : {EventKind::ThreadStart, EventKind::ThreadEnd, EventKind::Blocked,
                         EventKind::Reserve, EventKind::Push, EventKind::Wait, EventKind::Pop,
                         EventKind::ReadIssued, EventKind::TransferLanded, EventKind::ReadBarrier})
    for (const RunOptions &options :
         {fair(), greedy(), seeded(1), parallel(2), delivered(DeliveryPolicy::Eager),
          delivered(DeliveryPolicy::Random)}) {
      ThrowingListener listener(kind);
      EXPECT_TRUE(
          faulted(runWithListener(listener, options), FaultKind::Runtime, "the listener gives up"))
          << eventName(kind);
    }
}

TEST(Border, ListenerThatThrowsAtAFaultKeepsTheFault) {
  ThrowingListener listener(EventKind::Fault);
  TestProgram program;
  program.reader([](KernelThread &t) {
    Guarded<&ttl_hw_program_fault>::call(&t, 2, "the first fault");
    ttl_hw_abandon(&t);
    return Status::Ok;
  });
  RunOptions options;
  options.listeners = {&listener};
  EXPECT_TRUE(faulted(runOnce(program, options), FaultKind::Runtime, "the first fault"));
}

TEST(Border, NoMemoryIsAResourceFault) {
  struct : EventListener {
    void onEvent(const Event &) override { throw std::bad_alloc(); }
  } listener;
  RunResult result = runWithListener(listener);
  EXPECT_TRUE(faulted(result, FaultKind::Resource, "the host has no memory left"));
}

//===--------------------------------------------------------------------------===//
// Stacks
//===--------------------------------------------------------------------------===//

// Calls the kernel API when the stack is nearly full.
__attribute__((noinline)) int descend(KernelThread *thread, int depth) {
  volatile char frame[256];
  frame[0] = static_cast<char>(depth);
  if (!hasHeadroom(thread)) {
    Guarded<&ttl_hw_check_index>::call(thread, 9, 1, 4, 0, "formatted here");
    return 0;
  }
  return descend(thread, depth + 1) + frame[0];
}

TEST(Border, NoMessageIsFormattedOnAFullStack) {
  TestProgram program;
  program.reader([](KernelThread &t) {
    t.loc = 7;
    return descend(&t, 0) ? Status::Fault : Status::Fault;
  });
  Device device(smallChip());
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Runtime, "stack overflow", 7));
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

struct Arithmetic {
  float third, denormal;
  int rounding;
};

// Returns what a kernel thread computes.
Arithmetic computeInKernel() {
  Arithmetic result{};
  TestProgram program;
  program.reader([&](KernelThread &) {
    volatile float one = 1.0f, three = 3.0f, smallest = 0x1p-126f, half = 0.5f;
    result = {one / three, smallest * half, std::fegetround()};
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  return result;
}

TEST(Border, KernelsRoundToNearestWhateverTheCallerDoes) {
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    Arithmetic result = computeInKernel();
    int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(result.rounding, FE_TONEAREST);
    EXPECT_EQ(result.third, 0x1.555556p-2f);
    EXPECT_EQ(after, mode) << "the caller's own mode is back after the run";
  }
}

#if defined(__x86_64__)
TEST(Border, KernelsKeepDenormalsWhateverTheCallerDoes) {
  unsigned before = _mm_getcsr();
  constexpr unsigned kFlushAndDenormalsAreZero = 0x8040;
  _mm_setcsr(before | kFlushAndDenormalsAreZero);
  Arithmetic result = computeInKernel();
  unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(result.denormal, 0x1p-127f);
  EXPECT_EQ(after & kFlushAndDenormalsAreZero, kFlushAndDenormalsAreZero);
}
#endif

} // namespace
