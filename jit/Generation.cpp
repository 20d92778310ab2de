//===- Generation.cpp - from LLVM IR to objects, on a thread of its own --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/Generation.h"

#include "jit/DeviceLibrary.h"
#include "jit/QuickThreads.h"
#include "jit/Stopwatch.h"

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace ttjit;
using namespace ttjit::jit;

//===--------------------------------------------------------------------------===//
// The steps
//===--------------------------------------------------------------------------===//

Error Generation::addObject(Expected<std::unique_ptr<MemoryBuffer>> object) {
  if (!object)
    return object.takeError();
  objects.push_back(std::move(*object));
  return Error::success();
}

/// Generates code of the module and of the `quick` ones, without optimisation for these.
Error Generation::generate(std::vector<std::unique_ptr<Module>> quick) {
  if (artifacts.wantText) {
    artifacts.assembly = generator->assembly(*module);
    for (const std::unique_ptr<Module> &part : quick)
      artifacts.assembly += generator->quickAssembly(*part);
  }
  if (Error error = addObject(generator->compile(*module)))
    return error;
  for (const std::unique_ptr<Module> &part : quick) {
    if (isGivenUp)
      break;
    if (Error error = addObject(generator->compileQuickly(*part)))
      return error;
  }
  return Error::success();
}

Error Generation::run() {
  Stopwatch watch(&artifacts);
  bool splits = optLevel == 1;
  std::vector<std::unique_ptr<Module>> quick;
  quick.push_back(splits ? splitQuickThreads(*module) : nullptr);
  if (Error error = linkDeviceLibrary(*module, quick.front().get(), generator->deviceLevel()))
    return error;
  watch.lap("link");
  generator->optimize(*module, &isGivenUp);
  watch.lap("optimise");
  if (artifacts.wantText)
    artifacts.optimizedIR = textOf(*module);
  quick.push_back(splits ? splitThreadsWithoutLoops(*module) : nullptr);
  llvm::erase(quick, nullptr);
  if (isGivenUp)
    return Error::success();
  Error error = generate(std::move(quick));
  watch.lap("generate");
  return error;
}

//===--------------------------------------------------------------------------===//
// On a thread of its own
//===--------------------------------------------------------------------------===//

/// Number of generations that were given up and still run.
static std::atomic<int> abandoned = 0;

/// Ends the process without the destructors of global objects, which LLVM may be using on
/// another thread. Python has ended before, and has written its output.
static void endAtOnce(int status, void *) {
  if (abandoned == 0)
    return;
  std::fflush(nullptr);
  _exit(status);
}

namespace {

/// What the thread and its caller share.
struct Shared {
  std::shared_ptr<Generation> generation;
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false, isAbandoned = false;
  std::string error; ///< empty if the generation succeeded

  void work() {
    std::string text = toString(generation->run());
    std::lock_guard lock(mutex);
    error = std::move(text);
    isDone = true;
    changed.notify_one();
    if (isAbandoned)
      --abandoned;
  }

  /// Returns false if the caller was interrupted first.
  bool wait(const std::function<bool()> &isInterrupted) {
    constexpr std::chrono::milliseconds kPatience(20);
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kPatience, [&] { return isDone; }))
      if (isInterrupted()) {
        abandon();
        return false;
      }
    return true;
  }

private:
  void abandon() {
    static const int registered = on_exit(endAtOnce, nullptr);
    (void)registered;
    isAbandoned = true;
    ++abandoned;
    generation->giveUp();
  }
};

/// Starts a thread that no signal of the process goes to.
template <typename Function> std::thread startWithoutSignals(Function function) {
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  std::thread thread(std::move(function));
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  return thread;
}

} // namespace

Error jit::run(std::shared_ptr<Generation> generation, const std::function<bool()> &isInterrupted) {
  if (!isInterrupted)
    return generation->run();
  auto shared = std::make_shared<Shared>();
  shared->generation = std::move(generation);
  std::thread thread = startWithoutSignals([shared] { shared->work(); });
  if (!shared->wait(isInterrupted)) {
    thread.detach();
    return createStringError("interrupted");
  }
  thread.join();
  if (shared->error.empty())
    return Error::success();
  return createStringError(shared->error);
}
