//===- InterruptGuard.h - Ctrl-C while a kernel runs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While an InterruptGuard lives, SIGINT ends the run of the device. Afterwards the guard
// raises the signal again. Then Python raises KeyboardInterrupt, or the process ends.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_INTERRUPTGUARD_H
#define TTJIT_TOOLS_SESSION_INTERRUPTGUARD_H

#include "hw/device/Device.h"

#include <csignal>

namespace ttjit::session {

/// One run of the process is guarded at a time; a second guard does nothing.
class InterruptGuard {
public:
  explicit InterruptGuard(hw::Device &device);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

  /// Whether SIGINT came under this guard. The signal ends only one run, so a caller of
  /// several runs must ask.
  static bool wasInterrupted();

private:
  bool active = false;
  struct sigaction previous = {};
};

/// While it lives, a SIGINT that would end the process is only noted, so that its owner can
/// print something first. Create it before an InterruptGuard, not under one.
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
