//===- SignalGuard.cpp - turns signals of kernels into faults -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The handler runs on an alternate stack, since the kernel thread's stack may be used
// up. It stores the trap in the running thread and continues in leaveAfterTrap(), at
// the top of the thread's stack. The stack frames of the thread are lost, and the
// thread leaves for good.
//===--------------------------------------------------------------------------===//

#include "hw/device/SignalGuard.h"

#include "hw/device/Machine.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <mutex>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define HW_NO_ASAN __attribute__((no_sanitize_address))
#else
#define HW_NO_ASAN
#endif

namespace ttjit::hw {

namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t kAlternateStackBytes = 128 * 1024;

/// The scheduler of this host thread's run; a signal handler has no other way to find
/// it.
thread_local Scheduler *activeScheduler = nullptr;

/// The process's signal handlers. The first guard installs ours, the last one restores
/// the old ones. The old ones do not change while a guard exists.
struct Handlers {
  std::mutex mutex;
  int users = 0;
  std::array<struct sigaction, kSignals.size()> old{};
};

Handlers &handlers() {
  static Handlers instance;
  return instance;
}

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
  thread.machine->fault(&thread, FaultKind::Runtime, describe(thread.trap));
}

[[noreturn]] HW_NO_ASAN void leaveAfterTrap() {
  ThreadContext &thread = *activeScheduler->running();
#if defined(__SANITIZE_ADDRESS__)
  const Stack &stack = thread.fiber.stack;
  __asan_unpoison_memory_region(stack.bottom, static_cast<size_t>(stack.top - stack.bottom));
#endif
  recordTrap(thread);
  thread.partition->scheduler.leave(thread);
}

#if defined(__x86_64__)
uintptr_t stackPointer(const ucontext_t &context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}
void continueAt(ucontext_t &context, void (*function)(), uint8_t *stackTop) {
  // The stack pointer as right after a call: aligned to 16 bytes, minus the return
  // address.
  uintptr_t top = (reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t(15)) - 8;
  constexpr greg_t kDirectionFlag = 0x400;
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  context.uc_mcontext.gregs[REG_RBP] = 0;
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  context.uc_mcontext.gregs[REG_EFL] &= ~kDirectionFlag;
}
#elif defined(__aarch64__)
uintptr_t stackPointer(const ucontext_t &context) { return context.uc_mcontext.sp; }
void continueAt(ucontext_t &context, void (*function)(), uint8_t *stackTop) {
  context.uc_mcontext.sp = reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t(15);
  context.uc_mcontext.regs[29] = 0;
  context.uc_mcontext.regs[30] = 0;
  context.uc_mcontext.pc = reinterpret_cast<uintptr_t>(function);
}
#else
#error "continueAt() needs the register names of this architecture"
#endif

/// The kernel thread that raised the signal; null if other code raised it.
HW_NO_ASAN ThreadContext *trappedThread(const ucontext_t &context, uintptr_t address) {
  ThreadContext *thread = activeScheduler ? activeScheduler->running() : nullptr;
  if (!thread)
    return nullptr;
  const Stack &stack = thread->fiber.stack;
  uintptr_t pointer = stackPointer(context);
  bool ours = stack.contains(pointer) || stack.inGuard(pointer) || stack.inGuard(address);
  return ours ? thread : nullptr;
}

void chain(int signal, siginfo_t *info, void *context) {
  size_t index = 0;
  while (kSignals[index] != signal)
    ++index;
  const struct sigaction &old = handlers().old[index];
  if (old.sa_flags & SA_SIGINFO)
    return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
    return old.sa_handler(signal);
  // The instruction runs again after the handler, and then the default action happens.
  ::signal(signal, SIG_DFL);
}

HW_NO_ASAN void onSignal(int signal, siginfo_t *info, void *raw) {
  auto &context = *static_cast<ucontext_t *>(raw);
  // A positive code means that an instruction raised the signal, not kill().
  bool synchronous = info->si_code > 0;
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  ThreadContext *thread = synchronous ? trappedThread(context, address) : nullptr;
  if (!thread)
    return chain(signal, info, raw);
  thread->trap = {signal, address, signal == SIGSEGV && thread->fiber.stack.inGuard(address)};
  continueAt(context, reinterpret_cast<void (*)()>(leaveAfterTrap), thread->fiber.stack.top);
}

void addUser() {
  Handlers &all = handlers();
  std::lock_guard lock(all.mutex);
  if (all.users++)
    return;
  struct sigaction action = {};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &all.old[i]);
}

void removeUser() {
  Handlers &all = handlers();
  std::lock_guard lock(all.mutex);
  if (--all.users)
    return;
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &all.old[i], nullptr);
}

} // namespace

/// The stack of this host thread's signal handlers, mapped by its first run. Launches of small
/// kernels would spend a quarter of their time in mapping one each.
static Mapping &alternateStack() {
  thread_local Mapping stack;
  return stack;
}

struct SignalGuard::HostThread {
  Scheduler *outer = activeScheduler;
  stack_t oldStack{};
};

SignalGuard::SignalGuard(Scheduler &scheduler) : hostThread(std::make_unique<HostThread>()) {
  if (Mapping &mapping = alternateStack(); mapping.grow(kAlternateStackBytes)) {
    stack_t stack = {};
    stack.ss_sp = mapping.data();
    stack.ss_size = mapping.size();
    sigaltstack(&stack, &hostThread->oldStack);
  }
  activeScheduler = &scheduler;
  addUser();
}

SignalGuard::~SignalGuard() {
  removeUser();
  activeScheduler = hostThread->outer;
  if (alternateStack().data())
    sigaltstack(&hostThread->oldStack, nullptr);
}

ThreadContext *runningThread() { return activeScheduler ? activeScheduler->running() : nullptr; }

} // namespace ttjit::hw
