//===- SignalTrap.cpp - handles signals that an instruction raised ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The signal handler runs on an alternate stack, because the thread's stack may be used up.
//===--------------------------------------------------------------------------===//

#include "hw/device/SignalTrap.h"

#include "hw/device/Mapping.h"

#include <algorithm>
#include <array>
#include <atomic>
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

#if defined(__x86_64__)
uintptr_t stackPointer(const ucontext_t &context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}
static uintptr_t instructionPointer(const ucontext_t &context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}
std::span<const uintptr_t> registersOf(const ucontext_t &context) {
  return {reinterpret_cast<const uintptr_t *>(context.uc_mcontext.gregs), REG_RCX + 1};
}
#elif defined(__aarch64__)
uintptr_t stackPointer(const ucontext_t &context) { return context.uc_mcontext.sp; }
static uintptr_t instructionPointer(const ucontext_t &context) { return context.uc_mcontext.pc; }
std::span<const uintptr_t> registersOf(const ucontext_t &context) {
  return {reinterpret_cast<const uintptr_t *>(context.uc_mcontext.regs), 31};
}
#else
#error "stackPointer() needs the register names of this architecture"
#endif

static size_t indexOf(int signal) {
  return static_cast<size_t>(std::ranges::find(kSignals, signal) - kSignals.begin());
}

extern "C" {
HW_NO_ASAN static void onSignal(int signal, siginfo_t *info, void *raw);
}

static bool isOurs(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == onSignal;
}

// The process's signal handlers.
//
// The first trap installs ours. If the program installs others afterwards, the next trap installs
// ours again, and theirs become the newest earlier ones. Such a handler may call the one that it
// replaced, which is ours: then the one that was earlier than theirs has its turn (chain()).
struct SignalHandlers {
  using Actions = std::array<struct sigaction, kSignals.size()>;
  static constexpr size_t kMaxEarlier = 8;

  SignalHandlers() = default;
  ~SignalHandlers() {
    if (numEarlier)
      remove(0); // this library may be unloaded
  }

  void addUser(HandlerCheck check) {
    std::lock_guard lock(mutex);
    if (!users++ && !areInstalled(check))
      install();
  }

  void removeUser() {
    std::lock_guard lock(mutex);
    if (!--users && numEarlier == kMaxEarlier)
      remove(kMaxEarlier - 1);
  }

  static bool offer(const TrappedSignal &signal) { return innermost->onSignal(signal); }

  std::array<Actions, kMaxEarlier> earlier{}; // the oldest first
  std::atomic<size_t> numEarlier = 0;

private:
  bool areInstalled(HandlerCheck check) const {
    if (!numEarlier)
      return false;
    return std::all_of(kSignals.begin(), check == HandlerCheck::All ? kSignals.end() : &kSignals[1],
                       isInstalled);
  }

  static bool isInstalled(int signal) {
    struct sigaction now = {};
    return !sigaction(signal, nullptr, &now) && isOurs(now);
  }

  void install() {
    struct sigaction action = {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    Actions before{};
    for (size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i], &action, &before[i]);
      if (numEarlier && isOurs(before[i]))
        before[i] = earlier[numEarlier - 1][i];
    }
    note(before);
  }

  // Adds the handlers to the earlier ones. Those that were found before are the newest again.
  void note(const Actions &before) {
    auto isSame = [](const struct sigaction &one, const struct sigaction &other) {
      return one.sa_flags == other.sa_flags && one.sa_handler == other.sa_handler;
    };
    size_t place = 0;
    while (place < numEarlier && !std::ranges::equal(earlier[place], before, isSame))
      ++place;
    earlier[place] = before;
    numEarlier = place + 1;
  }

  // Installs the earlier handlers of that place where ours are installed now.
  void remove(size_t place) {
    for (size_t i = 0; i < kSignals.size(); ++i)
      if (isInstalled(kSignals[i]))
        sigaction(kSignals[i], &earlier[place][i], nullptr);
    numEarlier = place;
  }

  std::mutex mutex;
  int users = 0;
};

static SignalHandlers &handlers() {
  static SignalHandlers instance;
  return instance;
}

// The instruction whose signal the thread gave to an earlier handler, which returned.
struct ChainedSignal {
  int number = 0;
  uintptr_t instruction = 0, address = 0;
  size_t numEarlier = 0; // of the handlers, how many are left to be tried
};

static thread_local ChainedSignal chained;

// Returns how many of the earlier handlers are left to be tried, of which the newest gets the
// signal. If the thread has come no further since an earlier handler got its signal, that handler
// raised the signal again for the handler that it replaced, or ignored it. The oldest one cannot
// have replaced ours, and gets the signal as often as it would without us.
static size_t numToTry(int signal, const siginfo_t &info, uintptr_t instruction) {
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  bool isAgain = chained.number == signal && chained.instruction == instruction &&
                 (info.si_code <= 0 || chained.address == address);
  size_t all = handlers().numEarlier;
  return isAgain ? std::min(all, std::max<size_t>(chained.numEarlier, 1)) : all;
}

static void callDefault(int signal, const siginfo_t &info) {
  ::signal(signal, SIG_DFL);
  // An instruction that raised it runs again after the handler, and then has the default effect.
  if (info.si_code <= 0)
    raise(signal);
}

static void chain(int signal, siginfo_t *info, void *context) {
  uintptr_t instruction = instructionPointer(*static_cast<ucontext_t *>(context));
  size_t left = numToTry(signal, *info, instruction);
  if (!left)
    return callDefault(signal, *info);
  const struct sigaction &old = handlers().earlier[left - 1][indexOf(signal)];
  if (old.sa_flags & SA_SIGINFO)
    old.sa_sigaction(signal, info, context);
  else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
    old.sa_handler(signal);
  else
    return callDefault(signal, *info);
  if (info->si_code > 0)
    chained = {signal, instruction, reinterpret_cast<uintptr_t>(info->si_addr), left - 1};
  else if (chained.number == signal && chained.instruction == instruction)
    chained.numEarlier = left - 1;
}

// Returns whether this thread raised the signal: with an instruction, or with abort().
static bool isOwn(int signal, const siginfo_t &info) {
  if (signal == SIGABRT)
    return info.si_code == SI_TKILL && info.si_pid == getpid();
  return info.si_code > 0;
}

static void onSignal(int signal, siginfo_t *info, void *raw) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  bool isTrapped = innermost && isOwn(signal, *info) &&
                   SignalHandlers::offer({signal, address, *static_cast<ucontext_t *>(raw)});
  if (!isTrapped)
    chain(signal, info, raw);
}

namespace {

// The alternate stack of a host thread, mapped by its first trap and kept.
class AlternateStack {
public:
  ~AlternateStack() {
    if (!isKept)
      return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

  // Returns whether the thread had another alternate stack, which is stored in `outer`: the trap
  // must restore it.
  bool enter(stack_t &outer) {
    if (isKept || !mapping.grow(kAlternateStackBytes))
      return false;
    stack_t stack = {};
    stack.ss_sp = mapping.data();
    stack.ss_size = mapping.size();
    if (sigaltstack(&stack, &outer))
      return false;
    isKept = outer.ss_flags & SS_DISABLE;
    return !isKept;
  }

private:
  Mapping mapping;
  bool isKept = false;
};

} // namespace

static thread_local AlternateStack alternateStack;

SignalTrap::SignalTrap(HandlerCheck check)
    : outer(innermost), replacesStack(alternateStack.enter(outerStack)) {
  innermost = this;
  handlers().addUser(check);
}

SignalTrap::~SignalTrap() {
  handlers().removeUser();
  innermost = outer;
  if (replacesStack)
    sigaltstack(&outerStack, nullptr);
}

} // namespace ttjit::hw
