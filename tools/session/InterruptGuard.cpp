//===- InterruptGuard.cpp - handles Ctrl-C while a kernel runs -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/InterruptGuard.h"

#include <atomic>

using namespace ttjit;
using namespace ttjit::session;

// A process has one handler per signal, so the data of the handler is global.
static std::atomic<hw::Device *> guardedDevice = nullptr;
static std::atomic<bool> interrupted = false;
static std::atomic<bool> noted = false;

extern "C" {
static void onInterrupt(int) {
  interrupted = true;
  if (hw::Device *device = guardedDevice)
    device->interrupt();
}
static void noteInterrupt(int) { noted = true; }
}

InterruptGuard::InterruptGuard(hw::Device &device) {
  hw::Device *none = nullptr;
  if (!guardedDevice.compare_exchange_strong(none, &device))
    return;
  interrupted = false;
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_ONSTACK;
  active = sigaction(SIGINT, &action, &previous) == 0;
  if (!active)
    guardedDevice = nullptr;
}

InterruptGuard::~InterruptGuard() {
  if (!active)
    return;
  sigaction(SIGINT, &previous, nullptr);
  guardedDevice = nullptr;
  if (interrupted)
    raise(SIGINT);
}

bool InterruptGuard::wasInterrupted() { return interrupted; }

InterruptNote::InterruptNote() {
  noted = false;
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  sigaction(SIGINT, &action, &previous);
}

InterruptNote::~InterruptNote() { sigaction(SIGINT, &previous, nullptr); }

bool InterruptNote::interrupted() const { return noted; }
