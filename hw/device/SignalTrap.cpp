//===- SignalTrap.cpp - handles signals that an instruction raised ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The signal handler runs on an alternate stack, because the thread's stack may be used up.
//===--------------------------------------------------------------------------===//

#include "hw/device/SignalTrap.h"

#include "hw/device/Mapping.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HW_NO_ASAN __attribute__((no_sanitize_address))
#else
#define HW_NO_ASAN
#endif

namespace ttjit::hw {

static constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static constexpr size_t kAlternateStackBytes = 128 * 1024;

// The innermost trap of this host thread. A signal handler can only find it through a variable.
static thread_local SignalTrap *innermost = nullptr;

// The process's signal handlers. The first trap installs our handlers, the last one restores the
// earlier ones, which do not change while a trap exists.
struct SignalHandlers {
  std::mutex mutex;
  int users = 0;
  std::array<struct sigaction, kSignals.size()> old{};

  static bool offer(const TrappedSignal &signal) { return innermost->onSignal(signal); }
};

static SignalHandlers &handlers() {
  static SignalHandlers instance;
  return instance;
}

static void chain(int signal, siginfo_t *info, void *context) {
  size_t index = 0;
  while (kSignals[index] != signal)
    ++index;
  const struct sigaction &old = handlers().old[index];
  if (old.sa_flags & SA_SIGINFO)
    return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
    return old.sa_handler(signal);
  ::signal(signal, SIG_DFL);
  // An instruction that raised it runs again after the handler, and then has the default effect.
  if (info->si_code <= 0)
    raise(signal);
}

// Returns whether this thread raised the signal: with an instruction, or with abort().
static bool isOwn(int signal, const siginfo_t &info) {
  if (signal == SIGABRT)
    return info.si_code == SI_TKILL && info.si_pid == getpid();
  return info.si_code > 0;
}

extern "C" {
HW_NO_ASAN static void onSignal(int signal, siginfo_t *info, void *raw) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  bool isTrapped = innermost && isOwn(signal, *info) &&
                   SignalHandlers::offer({signal, address, *static_cast<ucontext_t *>(raw)});
  if (!isTrapped)
    chain(signal, info, raw);
}
}

static void addUser() {
  SignalHandlers &all = handlers();
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

static void removeUser() {
  SignalHandlers &all = handlers();
  std::lock_guard lock(all.mutex);
  if (--all.users)
    return;
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &all.old[i], nullptr);
}

// The alternate stack of this host thread, mapped by its first trap and kept: to map one for each
// launch would take a quarter of the time of a small kernel.
static Mapping &alternateStack() {
  thread_local Mapping stack;
  return stack;
}

SignalTrap::SignalTrap() : outer(innermost) {
  if (Mapping &mapping = alternateStack(); mapping.grow(kAlternateStackBytes)) {
    stack_t stack = {};
    stack.ss_sp = mapping.data();
    stack.ss_size = mapping.size();
    hasStack = sigaltstack(&stack, &outerStack) == 0;
  }
  innermost = this;
  addUser();
}

SignalTrap::~SignalTrap() {
  removeUser();
  innermost = outer;
  if (hasStack)
    sigaltstack(&outerStack, nullptr);
}

#if defined(__x86_64__)
uintptr_t stackPointer(const ucontext_t &context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}
std::span<const uintptr_t> registersOf(const ucontext_t &context) {
  return {reinterpret_cast<const uintptr_t *>(context.uc_mcontext.gregs), REG_RCX + 1};
}
#elif defined(__aarch64__)
uintptr_t stackPointer(const ucontext_t &context) { return context.uc_mcontext.sp; }
std::span<const uintptr_t> registersOf(const ucontext_t &context) {
  return {reinterpret_cast<const uintptr_t *>(context.uc_mcontext.regs), 31};
}
#else
#error "stackPointer() needs the register names of this architecture"
#endif

} // namespace ttjit::hw
