//===- FaultTest.cpp - faults, signals, limits --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <thread>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// After a fault the device can be used: this run must succeed.
void expectUsable(Device &device) {
  TestProgram program;
  program.grid(2, 2);
  int cb = program.buffer("a", 2);
  program.reader([=](KernelThread &t) {
    for (int i = 0; i < 10; ++i)
      CALL(produce(&t, cb));
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) {
    for (int i = 0; i < 10; ++i)
      CALL(consume(&t, cb));
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
}

// Runs `body` as the reader of node (0, 1) of a 2 x 2 grid, at line 7, while all other threads wait
// for a block that never comes.
RunResult runAmongOthers(Device &device, ThreadEntry body) {
  TestProgram program;
  program.grid(2, 2);
  int cb = program.buffer("a", 2), own = program.buffer("own", 2);
  int cancelled = 0;
  program.reader([=](KernelThread &t) {
    if (t.x != 0 || t.y != 1)
      return Status::Ok;
    t.loc = 7;
    return body(t);
  });
  program.compute([&, cb, own](KernelThread &t) {
    CALL(produce(&t, own));
    Status status = ttl_hw_cb_wait_front(&t, cb, 1);
    EXPECT_EQ(status, Status::Cancelled);
    EXPECT_EQ(ttl_hw_cb_wait_front(&t, cb, 1), Status::Cancelled);
    EXPECT_EQ(ttl_hw_cb_reserve_back(&t, own, 1), Status::Cancelled) << "though there is room";
    EXPECT_EQ(ttl_hw_step(&t), Status::Cancelled);
    ++cancelled;
    return status;
  });
  RunResult result = device.run(program, {});
  EXPECT_GT(cancelled, 0);
  EXPECT_EQ(result.fault ? result.fault->node.y : -1, 1);
  EXPECT_EQ(result.fault ? result.fault->thread : "", "reader");
  return result;
}

TEST(Fault, ProgramFaults) {
  Device device(smallChip());
  auto raise = [&](ProgramFault fault, const char *message) {
    return runAmongOthers(device, [=](KernelThread &t) {
      return ttl_hw_program_fault(&t, static_cast<int32_t>(fault), message);
    });
  };
  EXPECT_TRUE(
      faulted(raise(ProgramFault::IntOverflow, nullptr), FaultKind::Runtime, "int32 overflow", 7));
  EXPECT_TRUE(faulted(raise(ProgramFault::DivisionByZero, nullptr), FaultKind::Runtime,
                      "division by zero", 7));
  EXPECT_TRUE(faulted(raise(ProgramFault::Assert, "x must be even"), FaultKind::Runtime,
                      "x must be even", 7));
  expectUsable(device);
}

TEST(Fault, CheckIndex) {
  Device device(smallChip());
  auto check = [&](int64_t index, int64_t size, int64_t bound) {
    TestProgram program;
    program.reader([=](KernelThread &t) {
      return ttl_hw_check_index(&t, index, size, bound, 1,
                                "tensor 'weights', which has 4 tile rows");
    });
    return device.run(program, {});
  };
  EXPECT_TRUE(succeeded(check(0, 4, 4)));
  EXPECT_TRUE(
      faulted(check(4, 1, 4), FaultKind::OutOfBounds,
              "index 4 is out of range in dimension 1 of tensor 'weights', which has 4 tile rows"));
  EXPECT_TRUE(faulted(check(2, 3, 4), FaultKind::OutOfBounds, "slice 2:5"));
  EXPECT_TRUE(faulted(check(-1, 1, 4), FaultKind::OutOfBounds, "index -1"));
  EXPECT_TRUE(faulted(check(INT64_MAX, 2, 4), FaultKind::OutOfBounds, "out of range"));
}

//===--------------------------------------------------------------------------===//
// Leaving
//===--------------------------------------------------------------------------===//

TEST(Fault, AbandonLeavesForGood) {
  Device device(smallChip());
  struct Sentinel {
    int *count;
    ~Sentinel() { ++*count; }
  };
  int destroyed = 0;
  for (int i = 0; i < 50; ++i) {
    RunResult result = runAmongOthers(device, [&](KernelThread &t) {
      Sentinel sentinel{&destroyed};
      ttl_hw_program_fault(&t, 2, "stop");
      ttl_hw_abandon(&t);
      return Status::Ok;
    });
    EXPECT_TRUE(faulted(result, FaultKind::Runtime, "stop"));
  }
  EXPECT_EQ(destroyed, 0);
  expectUsable(device);
}

TEST(Fault, OthersMayAbandonToo) {
  Device device(smallChip());
  TestProgram program;
  program.grid(4, 4);
  int cb = program.buffer("a", 2);
  program.compute([=](KernelThread &t) {
    if (ttl_hw_cb_wait_front(&t, cb, 1) != Status::Ok)
      ttl_hw_abandon(&t);
    return Status::Ok;
  });
  program.reader([=](KernelThread &t) {
    return t.x == 3 && t.y == 3 ? ttl_hw_program_fault(&t, 2, "last") : Status::Ok;
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Runtime, "last"));
  expectUsable(device);
}

TEST(Fault, StatusWithoutAFaultIsAnInternalError) {
  TestProgram program;
  program.reader([](KernelThread &) { return Status::Fault; });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Runtime, "internal error"));
}

TEST(Fault, ExceptionsStopAtTheThread) {
  TestProgram program;
  program.reader([](KernelThread &) -> Status { throw std::runtime_error("out of tricks"); });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Runtime, "out of tricks"));
}

TEST(Fault, TransfersInFlightAreDropped) {
  Device device(smallChip());
  TensorAllocation tensor = *device.allocate(BufferType::DRAM, 1024, 1, "a");
  std::memset(device.page(tensor, 0), 1, 1024);
  TestProgram program;
  program.reader([&](KernelThread &t) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 1024, 0, &access));
    CALL(ttl_hw_noc_async_write_page(&t, 0, access, 256 * 1024));
    return ttl_hw_program_fault(&t, 2, "stop");
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Runtime, "stop"));
  EXPECT_EQ(static_cast<int>(device.page(tensor, 0)[0]), 1);
}

//===--------------------------------------------------------------------------===//
// Signals
//===--------------------------------------------------------------------------===//

// Recurses deeper than any kernel thread's stack; the compiler cannot make a loop of it.
__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth == 100'000'000 ? 0 : recurse(depth + 1) + frame[0];
}

TEST(Signal, StackOverflow) {
  Device device(smallChip());
  for (int i = 0; i < 20; ++i) {
    RunResult result = runAmongOthers(
        device, [](KernelThread &) { return recurse(0) ? Status::Ok : Status::Fault; });
    EXPECT_TRUE(faulted(result, FaultKind::Runtime, "stack overflow", 7));
  }
  expectUsable(device);
}

TEST(Signal, InvalidAccess) {
  Device device(smallChip());
  RunResult result = runAmongOthers(device, [](KernelThread &) {
    volatile uintptr_t nowhere = 64;
    *reinterpret_cast<volatile int *>(nowhere) = 1;
    return Status::Ok;
  });
  EXPECT_TRUE(faulted(result, FaultKind::Runtime,
                      "invalid memory access (SIGSEGV) at host "
                      "address 0x40",
                      7));
  expectUsable(device);
}

TEST(Signal, ArithmeticException) {
  Device device(smallChip());
  RunResult result = runAmongOthers(device, [](KernelThread &) {
#if defined(__x86_64__)
    int quotient = 1, remainder = 0;
    asm volatile("idivl %2" : "+a"(quotient), "+d"(remainder) : "r"(0) : "cc");
#else
    raise(SIGFPE);
#endif
    return Status::Ok;
  });
  EXPECT_TRUE(faulted(result, FaultKind::Runtime, "arithmetic exception (SIGFPE)", 7));
  expectUsable(device);
}

TEST(Signal, IllegalInstruction) {
  Device device(smallChip());
  RunResult result = runAmongOthers(device, [](KernelThread &) -> Status { __builtin_trap(); });
  EXPECT_TRUE(faulted(result, FaultKind::Runtime, "illegal instruction (SIGILL)", 7));
  expectUsable(device);
}

int chained = 0;
void onSignal(int) { ++chained; }

// The program's handler gets signals that no instruction caused, in a run and behind it.
TEST(Signal, HandlersOfTheProgramGetSignals) {
  struct sigaction mine = {}, old = {};
  mine.sa_handler = onSignal;
  sigaction(SIGFPE, &mine, &old);
  chained = 0;
  TestProgram program;
  program.reader([](KernelThread &) {
    raise(SIGFPE); // a signal that is sent, not caused by an instruction
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(chained, 1);
  raise(SIGFPE);
  EXPECT_EQ(chained, 2);
  sigaction(SIGFPE, &old, nullptr);
}

// Our handlers are installed again if the program replaced them between two runs.
TEST(Signal, HandlersThatTheProgramReplaced) {
  Device device(smallChip());
  std::array<struct sigaction, 3> mine{};
  mine[0].sa_handler = onSignal;
  mine[1].sa_handler = SIG_DFL;
  mine[2].sa_handler = [](int) { chained += 100; };
  for (int i = 0; i < 24; ++i) {
    struct sigaction before = {};
    sigaction(SIGSEGV, &mine[i % 3], &before);
    RunResult result = runAmongOthers(
        device, [](KernelThread &) { return recurse(0) ? Status::Ok : Status::Fault; });
    EXPECT_TRUE(faulted(result, FaultKind::Runtime, "stack overflow", 7));
    if (i % 3 == 1)
      continue;
    chained = 0;
    raise(SIGSEGV);
    EXPECT_EQ(chained, i % 3 ? 100 : 1);
    if (i % 2)
      sigaction(SIGSEGV, &before, nullptr);
  }
}

// A program's handler of the kind of faulthandler: it installs the handler that it replaced, and
// raises the signal again for it.
struct sigaction replaced = {};
void raiseAgain(int signal) {
  chained += 1;
  sigaction(signal, &replaced, nullptr);
  raise(signal);
}

[[noreturn]] void faultAfterRuns(bool isEnabledFirst) {
  struct sigaction mine = {};
  mine.sa_handler = raiseAgain;
  mine.sa_flags = SA_NODEFER | SA_ONSTACK;
  TestProgram program;
  program.reader([](KernelThread &) { return Status::Ok; });
  if (isEnabledFirst)
    sigaction(SIGSEGV, &mine, &replaced);
  (void)runOnce(program);
  if (!isEnabledFirst)
    sigaction(SIGSEGV, &mine, &replaced);
  (void)runOnce(program);
  volatile uintptr_t nowhere = 64;
  *reinterpret_cast<volatile int *>(nowhere) = 1;
  std::abort(); // not reached: the access ends the process
}

TEST(SignalDeathTest, HandlersThatRaiseTheSignalAgain) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(faultAfterRuns(false), ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(faultAfterRuns(true), ::testing::KilledBySignal(SIGSEGV), "");
}

// A handler of the program that was replaced by ours and then turned off: it returns at once.
[[noreturn]] void faultWithIgnoringHandler() {
  struct sigaction mine = {};
  mine.sa_handler = [](int) {};
  TestProgram program;
  program.reader([](KernelThread &) { return Status::Ok; });
  (void)runOnce(program);
  sigaction(SIGSEGV, &mine, &replaced);
  (void)runOnce(program);
  volatile uintptr_t nowhere = 64;
  *reinterpret_cast<volatile int *>(nowhere) = 1;
  std::abort();
}

TEST(SignalDeathTest, HandlersThatReturn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(faultWithIgnoringHandler(), ::testing::KilledBySignal(SIGSEGV), "");
}

//===--------------------------------------------------------------------------===//
// Limits
//===--------------------------------------------------------------------------===//

TEST(Limit, EndlessLoop) {
  TestProgram program;
  int cb = program.buffer("a", 2);
  program.reader([](KernelThread &t) {
    t.loc = 7;
    while (true)
      CALL(ttl_hw_step(&t));
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb); });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Runtime, "endless loop: 1000000000 steps", 7));
}

TEST(Limit, StepLimitIsTheSumOverAllThreadsAndExact) {
  TestProgram program;
  program.grid(2, 1);
  program.reader([](KernelThread &t) {
    for (int i = 0; i < 100'000; ++i)
      CALL(ttl_hw_step(&t));
    return Status::Ok;
  });
  RunOptions options;
  options.stepLimit = 200'000;
  RunResult result = runOnce(program, options);
  EXPECT_TRUE(succeeded(result));
  EXPECT_EQ(result.stats.steps, 200'000u);
  options.stepLimit = 199'999;
  result = runOnce(program, options);
  EXPECT_TRUE(faulted(result, FaultKind::Runtime, "the limit of 199999 steps is used up"));
  EXPECT_EQ(result.fault->node.x, 1);
}

TEST(Limit, CallsAreSteps) {
  TestProgram program;
  int cb = program.buffer("a", 1);
  program.reader([=](KernelThread &t) {
    while (true) {
      CALL(produce(&t, cb));
      CALL(consume(&t, cb));
    }
  });
  RunOptions options;
  options.stepLimit = 1000;
  EXPECT_TRUE(faulted(runOnce(program, options), FaultKind::Runtime, "limit of 1000 steps"));
}

TEST(Limit, Interrupt) {
  Device device(smallChip());
  TestProgram program;
  std::atomic<bool> begun{false};
  program.reader([&](KernelThread &t) {
    begun = true;
    while (true)
      CALL(ttl_hw_step(&t));
  });
  std::thread other([&] {
    while (!begun)
      std::this_thread::yield();
    device.interrupt();
  });
  RunResult result = device.run(program, {});
  other.join();
  EXPECT_TRUE(faulted(result, FaultKind::Runtime, "interrupted"));
  expectUsable(device);
}

TEST(Limit, OneRunAtATime) {
  Device device(smallChip());
  TestProgram inner, outer;
  inner.reader([](KernelThread &) { return Status::Ok; });
  RunResult result;
  outer.reader([&](KernelThread &) {
    result = device.run(inner, {});
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(outer, {})));
  EXPECT_TRUE(faulted(result, FaultKind::Runtime, "running another program"));
}

} // namespace
