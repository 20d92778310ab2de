//===- SignalGuard.cpp - turns signals of kernels into faults -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The signal handler stores the signal in the running thread and continues in leaveAfterTrap(), at
// the top of the thread's stack. The stack frames of the thread are lost, and the thread never runs
// again.
//===--------------------------------------------------------------------------===//

#include "hw/device/SignalGuard.h"

#include "hw/device/Scheduler.h"

#include <fmt/format.h>

#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define HW_NO_ASAN __attribute__((no_sanitize_address))
#else
#define HW_NO_ASAN
#endif

namespace ttjit::hw {

namespace {

// The scheduler of this host thread's run. A signal handler can only find it through a
// variable.
thread_local Scheduler *activeScheduler = nullptr;

std::string describe(const Trap &trap) {
  if (trap.inGuard)
    return kStackOverflow;
  switch (trap.signal) {
  case SIGFPE:
    return "arithmetic exception (SIGFPE) in the kernel thread, as from an integer division";
  case SIGILL:
    return "illegal instruction (SIGILL) in the kernel thread";
  case SIGBUS:
    return fmt::format("bus error (SIGBUS) at host address {:#x} in the kernel thread",
                       trap.address);
  default:
    return fmt::format("invalid memory access (SIGSEGV) at host address {:#x} in the kernel "
                       "thread",
                       trap.address);
  }
}

void recordTrap(ThreadContext &thread) {
  thread.machine->faults.report(&thread, FaultKind::Runtime, describe(thread.trap));
}

[[noreturn]] HW_NO_ASAN void leaveAfterTrap() {
  ThreadContext &thread = *activeScheduler->running();
#if defined(__SANITIZE_ADDRESS__)
  const Stack &stack = thread.fiber.stack;
  __asan_unpoison_memory_region(stack.bottom, static_cast<size_t>(stack.top - stack.bottom));
#endif
  recordTrap(thread);
  activeScheduler->leave(thread);
}

#if defined(__x86_64__)
void continueAt(ucontext_t &context, void (*function)(), uint8_t *stackTop) {
  // Set the stack pointer as it is at the begin of a function: a multiple of 16 bytes, minus the
  // return address.
  uintptr_t top = (reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t(15)) - 8;
  constexpr greg_t kDirectionFlag = 0x400;
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  context.uc_mcontext.gregs[REG_RBP] = 0;
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  context.uc_mcontext.gregs[REG_EFL] &= ~kDirectionFlag;
}
#elif defined(__aarch64__)
void continueAt(ucontext_t &context, void (*function)(), uint8_t *stackTop) {
  context.uc_mcontext.sp = reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t(15);
  context.uc_mcontext.regs[29] = 0;
  context.uc_mcontext.regs[30] = 0;
  context.uc_mcontext.pc = reinterpret_cast<uintptr_t>(function);
}
#else
#error "continueAt() needs the register names of this architecture"
#endif

// Returns the kernel thread that raised the signal; null if other code raised it.
HW_NO_ASAN ThreadContext *trappedThread(const ucontext_t &context, uintptr_t address) {
  ThreadContext *thread = activeScheduler ? activeScheduler->running() : nullptr;
  if (!thread)
    return nullptr;
  const Stack &stack = thread->fiber.stack;
  uintptr_t pointer = stackPointer(context);
  bool ours = stack.contains(pointer) || stack.inGuard(pointer) || stack.inGuard(address);
  return ours ? thread : nullptr;
}

} // namespace

class SignalGuard::HostThread final : SignalTrap {
public:
  HostThread(Scheduler &scheduler, HandlerCheck check)
      : SignalTrap(check), outer(std::exchange(activeScheduler, &scheduler)) {}
  ~HostThread() { activeScheduler = outer; }

private:
  HW_NO_ASAN bool onSignal(const TrappedSignal &signal) override {
    if (signal.number == SIGABRT)
      return false; // abort() was called by code of the host
    ThreadContext *thread = trappedThread(signal.context, signal.address);
    if (!thread)
      return false;
    Stack &stack = thread->fiber.stack;
    bool inGuard = signal.number == SIGSEGV && stack.inGuard(signal.address);
    thread->trap = {signal.number, signal.address, inGuard};
    continueAt(signal.context, reinterpret_cast<void (*)()>(leaveAfterTrap), stack.top);
    return true;
  }

  Scheduler *outer;
};

SignalGuard::SignalGuard(Scheduler &scheduler, HandlerCheck check)
    : hostThread(std::make_unique<HostThread>(scheduler, check)) {}

SignalGuard::~SignalGuard() = default;

ThreadContext *runningThread() { return activeScheduler ? activeScheduler->running() : nullptr; }

} // namespace ttjit::hw
