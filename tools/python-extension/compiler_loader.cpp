//===- compiler_loader.cpp - loads the compiler behind the program -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/python-extension/compiler_loader.h"

#include "hw/device/HostThreads.h"

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include <Python.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

namespace {
/// The thread's state. It exists until the process ends.
struct Loading {
  std::mutex mutex;
  std::condition_variable changed;
  bool isRunning = false, hasFailed = false;
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

/// Returns the path of the file that holds a function.
static std::string pathOf(void *function) {
  Dl_info info;
  return dladdr(function, &info) ? info.dli_fname : std::string();
}

/// Returns the path with `name` in place of `part` in the file's name; empty if it has no such
/// part.
static std::string neighbour(std::string path, const std::string &part, const std::string &name) {
  size_t place = path.rfind(part);
  return place == std::string::npos ? std::string() : path.replace(place, part.size(), name);
}

bool lacksLibrary() {
  std::string device = pathOf(reinterpret_cast<void *>(&ttjit::hw::numHostThreads));
  std::string session = neighbour(device, "ttjit-device", "ttjit-session");
  if (!session.empty() && access(session.c_str(), R_OK) != 0)
    return true;
  std::lock_guard lock(loading().mutex);
  return loading().hasFailed;
}

/// Returns whether the extension could be loaded.
static bool load(const char *path) {
  void *extension = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (void *prepare = extension ? dlsym(extension, "ttjit_prepare") : nullptr)
    reinterpret_cast<void (*)()>(prepare)();
  return extension;
}

/// Starts a thread that no signal of the process goes to.
template <typename Function> static void startWithoutSignals(Function function) {
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  try {
    std::thread(std::move(function)).detach();
  } catch (const std::system_error &) {
    end(/*hasFailed=*/false); // the first use loads the compiler
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

/// Returns whether a processor of the host seems to be idle. If not, the thread would delay the
/// program by what it saves, and for nothing in a program that compiles no kernel.
static bool hasIdleProcessor() {
  auto processors = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  double load = 0;
  return ttjit::hw::numHostThreads() > 1 && getloadavg(&load, 1) == 1 && load < processors;
}

void startLoadingCompiler() {
  if (!hasIdleProcessor())
    return;
  std::string self = pathOf(reinterpret_cast<void *>(&startLoadingCompiler));
  std::string path = neighbour(self, "_ttjit.", "_ttjit_compiler.");
  if (path.empty())
    return;
  begin();
  // In a child the dynamic loader would be in any state. At the end of the process, destructors of
  // LLVM's objects would run while their constructors do.
  pthread_atfork(waitForCompiler, nullptr, nullptr);
  Py_AtExit(waitForCompiler);
  startWithoutSignals([path = std::move(path)] { end(/*hasFailed=*/!load(path.c_str())); });
}
