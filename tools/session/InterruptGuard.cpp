//===- InterruptGuard.cpp - handles Ctrl-C while a kernel runs ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/InterruptGuard.h"

#include "hw/link/Ranks.h"

#include <atomic>
#include <mutex>

using namespace ttjit;
using namespace ttjit::session;

//===--------------------------------------------------------------------------===//
// The handler
//===--------------------------------------------------------------------------===//

// A process has one handler per signal, so the data of the handler is global.
static std::atomic<hw::Device *> guardedDevice = nullptr;
static std::atomic<unsigned> arrivals = 0; // number of SIGINTs under any guard
static std::atomic<bool> noted = false;

extern "C" {
static void onInterrupt(int) {
  ++arrivals;
  if (hw::Device *device = guardedDevice)
    device->interrupt();
}
static void noteInterrupt(int) { noted = true; }
}

namespace {

// Handles signals while any guard exists: guards of several host threads end in any order. A
// process that ignores SIGINT continues to ignore it.
class Handler {
public:
  void acquire() {
    std::lock_guard lock(mutex);
    if (guards++)
      return;
    atInstall = arrivals;
    struct sigaction action = {};
    action.sa_handler = onInterrupt;
    action.sa_flags = SA_ONSTACK;
    // Each of these system calls takes up to a twentieth of the time of a small launch.
    sigaction(SIGINT, &action, &previous);
    bool ignores = previous.sa_handler == SIG_IGN;
    if (ignores)
      sigaction(SIGINT, &previous, nullptr);
    // mpirun sends SIGTERM to its processes when it gets SIGINT.
    handlesEnd = !ignores && hw::ranksOfProcess().link;
    if (handlesEnd)
      sigaction(SIGTERM, &action, &previousEnd);
  }

  void release() {
    std::lock_guard lock(mutex);
    if (--guards)
      return;
    sigaction(SIGINT, &previous, nullptr);
    if (handlesEnd)
      sigaction(SIGTERM, &previousEnd, nullptr);
    if (arrivals != atInstall)
      raise(SIGINT);
  }

private:
  std::mutex mutex;
  int guards = 0;
  unsigned atInstall = 0;
  bool handlesEnd = false; // whether SIGTERM has the handler, too
  struct sigaction previous = {}, previousEnd = {};
};

Handler handler;

} // namespace

//===--------------------------------------------------------------------------===//
// The guards
//===--------------------------------------------------------------------------===//

static std::atomic<unsigned> atRun = 0, atCompile = 0; // arrivals before the newest guard

InterruptGuard::InterruptGuard(hw::Device &device) {
  hw::Device *none = nullptr;
  active = guardedDevice.compare_exchange_strong(none, &device);
  if (!active)
    return;
  atRun = arrivals.load();
  handler.acquire();
}

InterruptGuard::~InterruptGuard() {
  if (!active)
    return;
  guardedDevice = nullptr;
  handler.release();
}

bool InterruptGuard::wasInterrupted() { return arrivals != atRun; }

CompileGuard::CompileGuard() {
  atCompile = arrivals.load();
  handler.acquire();
}

CompileGuard::~CompileGuard() { handler.release(); }

bool CompileGuard::wasInterrupted() { return arrivals != atCompile; }

InterruptNote::InterruptNote() {
  noted = false;
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  sigaction(SIGINT, &action, &previous);
}

InterruptNote::~InterruptNote() { sigaction(SIGINT, &previous, nullptr); }

bool InterruptNote::interrupted() const { return noted; }
