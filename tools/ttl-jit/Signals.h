//===- Signals.h - how ttl-jit ends on SIGINT and SIGTERM -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A signal that nothing else handles ends the process with a message, and with the status that a
// shell gives to a program that the signal ended: 130 or 143. A process that ignores a signal
// continues to ignore it. In a child that fork() made, the signal has its default effect.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_SIGNALS_H
#define TTJIT_TOOLS_TTL_JIT_SIGNALS_H

/// Lets the signal SIGINT or SIGTERM end the process with a message, if its action is the default.
void endOnSignal(int signal);

/// While this object exists, the signals have their default actions again, so that Python finds
/// these and installs its own handlers. Signals that arrive in this time are kept until it ends.
class DefaultActions {
public:
  DefaultActions();
  /// SIGTERM ends the process with a message again, unless Python or the program now handles it.
  ~DefaultActions();
  DefaultActions(const DefaultActions &) = delete;
  DefaultActions &operator=(const DefaultActions &) = delete;

private:
  struct Saved;
  Saved *saved;
};

#endif // TTJIT_TOOLS_TTL_JIT_SIGNALS_H
