//===- SignalTrap.h - handles signals that an instruction raised ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While a host thread has traps, a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT that this
// thread raises is offered to its innermost trap, on an alternate stack. Signals that
// other threads or processes send, and those that the trap refuses, go to the handlers
// that were installed before. Our handlers and the alternate stack stay after the last
// trap, because to install them takes a third of the time of a small launch.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_SIGNALTRAP_H
#define TTJIT_HW_DEVICE_SIGNALTRAP_H

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <span>
#include <ucontext.h>

namespace ttjit::hw {

/// A signal that this thread raised, and the state of the thread at that moment.
struct TrappedSignal {
  int number;
  uintptr_t address;   ///< that the instruction accessed, of SIGSEGV and SIGBUS
  ucontext_t &context; ///< continues after the handler
};

/// Which handlers a trap looks at: the program may have replaced them since the last trap. To look
/// at one is a system call.
enum class HandlerCheck {
  All,
  Segv, ///< for code that raises SIGSEGV only: who replaces other handlers mostly replaces this one
};

class SignalTrap {
public:
  SignalTrap(const SignalTrap &) = delete;
  SignalTrap &operator=(const SignalTrap &) = delete;

protected:
  explicit SignalTrap(HandlerCheck check);
  ~SignalTrap();

  /// Runs in the signal handler. Returns true if it changed the context of `signal`, so that the
  /// thread continues at another address. It may leave the handler with siglongjmp instead.
  virtual bool onSignal(const TrappedSignal &signal) = 0;

private:
  friend struct SignalHandlers;

  SignalTrap *outer;
  stack_t outerStack{};
  bool replacesStack = false; ///< whether the thread has an alternate stack outside of the trap
};

uintptr_t stackPointer(const ucontext_t &context);

/// The registers that may hold pointers.
std::span<const uintptr_t> registersOf(const ucontext_t &context);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SIGNALTRAP_H
