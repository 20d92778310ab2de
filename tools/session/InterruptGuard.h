//===- InterruptGuard.h - handles Ctrl-C while a kernel runs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While an InterruptGuard exists, SIGINT ends the run of the device. After the last guard
// of the process, the signal is raised again: then Python raises KeyboardInterrupt, or the
// process ends.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_INTERRUPTGUARD_H
#define TTJIT_TOOLS_SESSION_INTERRUPTGUARD_H

#include "hw/device/Device.h"

#include <csignal>

namespace ttjit::session {

/// Only one run of the process is guarded at a time; a second guard does nothing.
class InterruptGuard {
public:
  explicit InterruptGuard(hw::Device &device);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

  /// Returns whether SIGINT arrived under this guard. The signal ends only the current run, so code
  /// that starts several runs must call this function.
  static bool wasInterrupted();

private:
  bool active = false;
};

/// While this object exists, SIGINT ends a compilation: the compiler calls wasInterrupted().
/// Afterwards the signal is raised again, as by an InterruptGuard.
class CompileGuard {
public:
  CompileGuard();
  ~CompileGuard();
  CompileGuard(const CompileGuard &) = delete;
  CompileGuard &operator=(const CompileGuard &) = delete;

  /// Returns whether SIGINT arrived since the newest guard began.
  static bool wasInterrupted();
};

/// While this object exists, a SIGINT that would end the process is only noted, so that its
/// owner can print something first. Create it before an InterruptGuard, not while one
/// exists.
class InterruptNote {
public:
  InterruptNote();
  ~InterruptNote();
  InterruptNote(const InterruptNote &) = delete;
  InterruptNote &operator=(const InterruptNote &) = delete;

  bool interrupted() const;

private:
  struct sigaction previous = {};
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_INTERRUPTGUARD_H
