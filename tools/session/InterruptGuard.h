//===- InterruptGuard.h - handles Ctrl-C while a kernel runs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While an InterruptGuard exists, SIGINT ends the run of the device. Afterwards the
// guard raises the signal again: then Python raises KeyboardInterrupt, or the process
// ends.
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
  /// that starts several runs must ask.
  static bool wasInterrupted();

private:
  bool active = false;
  struct sigaction previous = {};
};

/// While it exists, a SIGINT that would end the process is only noted, so that its
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
