//===- compiler_loader.cpp - loads the compiler in the background -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/python-extension/compiler_loader.h"

#include "hw/device/FloatEnvironment.h"
#include "hw/device/HostThreads.h"

#include <climits>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include <Python.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

// Returns the path of the file that holds a function. If another thread loads a library at the same
// time, waits for that thread: the dynamic loader has one lock.
static std::string pathOf(void *function) {
  Dl_info info;
  return dladdr(function, &info) ? info.dli_fname : std::string();
}

// Replaces `part` by `name` in the file name of the path. Returns an empty path if the file name
// does not contain `part`.
static std::string neighbour(std::string path, const std::string &part, const std::string &name) {
  size_t place = path.rfind(part);
  return place == std::string::npos ? std::string() : path.replace(place, part.size(), name);
}

namespace {
// The state of the thread that loads. It exists until the process ends.
struct Loading {
  std::mutex mutex;
  std::condition_variable changed;
  bool isRunning = false, hasFailed = false;

  // The library beside libttjit-device, which the compiler needs.
  std::string session = neighbour(pathOf(reinterpret_cast<void *>(&ttjit::hw::numHostThreads)),
                                  "ttjit-device", "ttjit-session");
};
} // namespace

static Loading &loading() {
  static auto *state = new Loading;
  return *state;
}

static void begin() { loading().isRunning = true; }

static void end(bool hasFailed) {
  std::lock_guard lock(loading().mutex);
  loading().isRunning = false;
  loading().hasFailed = hasFailed;
  loading().changed.notify_all();
}

void waitForCompiler() {
  std::unique_lock lock(loading().mutex);
  loading().changed.wait(lock, [] { return !loading().isRunning; });
}

bool lacksLibrary() {
  const std::string &session = loading().session;
  if (!session.empty() && access(session.c_str(), R_OK) != 0)
    return true;
  std::lock_guard lock(loading().mutex);
  return loading().hasFailed;
}

// Loads the extension. Returns whether that succeeded.
static bool load(const char *path) {
  void *extension = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (void *prepare = extension ? dlsym(extension, "ttjit_prepare") : nullptr)
    reinterpret_cast<void (*)()>(prepare)();
  return extension;
}

// Starts a thread that blocks all signals, so that the process's other threads handle them.
template <typename Function> static void startWithoutSignals(Function function) {
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  try {
    std::thread(std::move(function)).detach();
  } catch (const std::system_error &) {
    end(/*hasFailed=*/false); // without a thread, the first use loads the compiler
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

// Returns how many threads of the host run or could run now, including this one.
static std::optional<long> runnableThreads() {
  std::ifstream file("/proc/loadavg"); // such as "0.20 0.18 0.12 1/80 11206": 1 is the number
  double load = 0;
  long runnable = 0;
  if (file >> load >> load >> load >> runnable)
    return runnable;
  return std::nullopt;
}

// Returns whether a processor of the host seems to be idle. Otherwise the thread would delay the
// program by as much as it saves, and for nothing if the program compiles no kernel. Averages of
// the load do not help: a host of two processors with one busy process has a load of 1.
static bool hasIdleProcessor() {
  return ttjit::hw::numHostThreads() > 1 &&
         runnableThreads().value_or(LONG_MAX) < sysconf(_SC_NPROCESSORS_ONLN);
}

// Uses the thread_local variables that `import ttl` uses, in libstdc++ (for exceptions) and in
// libttjit-device. The dynamic loader allocates those of a library at their first use, under the
// lock that a thread holds while it loads a library; so use them before that.
static void allocateThreadVariables() {
  [[maybe_unused]] volatile int count = std::uncaught_exceptions();
  ttjit::hw::DefaultFloatEnvironment environment;
}

void startLoadingCompiler() {
  allocateThreadVariables();
  loading(); // finds the paths now, while no other thread has the dynamic loader's lock
  if (!hasIdleProcessor())
    return;
  std::string self = pathOf(reinterpret_cast<void *>(&startLoadingCompiler));
  std::string path = neighbour(self, "_ttjit.", "_ttjit_compiler.");
  if (path.empty())
    return;
  begin();
  // Without waiting, a forked child would have a dynamic loader in an undefined state, and at the
  // end of the process LLVM's objects could be destroyed while they are constructed.
  pthread_atfork(waitForCompiler, nullptr, nullptr);
  Py_AtExit(waitForCompiler);
  startWithoutSignals([path = std::move(path)] { end(/*hasFailed=*/!load(path.c_str())); });
}
