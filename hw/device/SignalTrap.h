//===- SignalTrap.h - handles signals that an instruction raised ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While a host thread has traps, a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT that this
// thread raises is offered to its innermost trap, on an alternate stack. Signals that
// other threads or processes send, and those that the trap refuses, go to the handlers
// that were installed before.
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

class SignalTrap {
public:
  SignalTrap(const SignalTrap &) = delete;
  SignalTrap &operator=(const SignalTrap &) = delete;

protected:
  SignalTrap();
  ~SignalTrap();

  /// Runs in the signal handler. Returns true if it changed the context of `signal`, so that the
  /// thread continues at another address. It may leave the handler with siglongjmp instead.
  virtual bool onSignal(const TrappedSignal &signal) = 0;

private:
  friend struct SignalHandlers;

  SignalTrap *outer;
  stack_t outerStack{};
  bool hasStack = false;
};

uintptr_t stackPointer(const ucontext_t &context);

/// The registers that may hold pointers.
std::span<const uintptr_t> registersOf(const ucontext_t &context);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SIGNALTRAP_H
