//===- SignalGuard.h - turns signals of kernels into faults ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While a SignalGuard exists, a SIGSEGV, SIGBUS, SIGFPE or SIGILL raised by a kernel
// thread of this host thread's run ends that thread with a fault. All other signals go
// to the handlers that were installed before.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_SIGNALGUARD_H
#define TTJIT_HW_DEVICE_SIGNALGUARD_H

#include "hw/device/SignalTrap.h"

#include <memory>

namespace ttjit::hw {

class Scheduler;
struct ThreadContext;

class SignalGuard {
public:
  /// `check` is All if kernel threads run C++ functions of the user.
  SignalGuard(Scheduler &scheduler, HandlerCheck check);
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

private:
  class HostThread;
  std::unique_ptr<HostThread> hostThread;
};

/// The kernel thread that runs on this host thread; null if none does.
ThreadContext *runningThread();

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SIGNALGUARD_H
