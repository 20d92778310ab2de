//===- InterruptGuard.h - Ctrl-C while a kernel runs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While it lives, SIGINT ends the device's run instead of doing what the process
// does otherwise; afterwards the signal is raised again, so that Python's
// KeyboardInterrupt, or the end of the process, follows.
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

  /// For several runs under one guard: the signal ends only the one that runs.
  static bool wasInterrupted();

private:
  bool active = false;
  struct sigaction previous = {};
};

/// While it lives, a SIGINT that would end the process is noted instead, so that the
/// caller can print its report first. Around an InterruptGuard, not inside one.
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
