//===- GenerationThread.cpp - generates code on a thread of its own -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/GenerationThread.h"

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace ttjit;
using namespace ttjit::jit;

//===--------------------------------------------------------------------------===//
// The threads of the process
//===--------------------------------------------------------------------------===//

namespace {

// Counts the threads that still run.
class RunningThreads {
public:
  void add() {
    std::lock_guard lock(mutex);
    ++count;
  }
  void remove() {
    std::lock_guard lock(mutex);
    --count;
    changed.notify_all();
  }
  // Notes that nobody needs the result of one of the threads that run.
  void noteGivenUp() {
    std::lock_guard lock(mutex);
    isGivenUp = true;
  }
  // Waits until no thread runs any more, or nobody needs the result of one that runs.
  void waitForAll() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return count == 0 || isGivenUp; });
  }
  bool areFewerThan(int limit) {
    std::lock_guard lock(mutex);
    return count < limit;
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  bool isGivenUp = false;
};

} // namespace

// Never destroyed: threads may use it until the process ends.
static RunningThreads &runningThreads() {
  static auto *threads = new RunningThreads;
  return *threads;
}

// Set by close(). Then a generation begins only if none has begun before: the process ends soon,
// but each run of a short program on a busy host leaves some code in the cache.
static std::atomic<bool> isClosed = false;

// Largest number of threads at a time. More threads would each take longer.
static constexpr int kMaxThreads = 8;

// Called at exit. If a thread still runs, ends the process without the destructors of LLVM's global
// objects, which that thread uses. Python has already ended and written its output.
static void endAtOnce(int status, void *) {
  if (runningThreads().areFewerThan(1))
    return;
  std::fflush(nullptr);
  _exit(status);
}

// Called before a fork. The child has no generation threads: it would wait for ever for one that
// ran at the fork, or for a lock that it held.
static void waitBeforeFork() { runningThreads().waitForAll(); }

static void registerOnce() {
  static const int registered = [] {
    pthread_atfork(waitBeforeFork, nullptr, nullptr);
    return on_exit(endAtOnce, nullptr);
  }();
  (void)registered;
}

// Starts a thread that blocks all signals, so that the process's other threads handle them.
template <typename Function> static void startWithoutSignals(Function function) {
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  std::thread(std::move(function)).detach();
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

//===--------------------------------------------------------------------------===//
// GenerationThread
//===--------------------------------------------------------------------------===//

// What the thread and its caller share.
struct GenerationThread::Shared {
  std::shared_ptr<Generation> generation;
  std::function<void(const Generation &)> store;
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  std::string error; // empty if the generation succeeded

  std::string generate() {
    if (!store)
      return toString(generation->run());
    // The user's program runs at the same time: all these generations use one processor at most.
    static std::mutex turn;
    static bool isFirst = true;
    std::lock_guard lock(turn);
    if (isClosed && !isFirst)
      return "the process ends";
    isFirst = false;
    std::string text = toString(generation->run());
    if (text.empty())
      store(*generation);
    generation->release(); // it may be long until the kernel is launched and loads the code
    return text;
  }

  void work() {
    std::string text = generate();
    std::lock_guard lock(mutex);
    error = std::move(text);
    isDone = true;
    changed.notify_all();
  }
};

GenerationThread::GenerationThread(std::shared_ptr<Generation> generation,
                                   std::function<void(const Generation &)> store)
    : shared(std::make_shared<Shared>()) {
  shared->generation = std::move(generation);
  shared->store = std::move(store);
  registerOnce();
  runningThreads().add();
  startWithoutSignals([shared = shared]() mutable {
    shared->work();
    shared.reset();
    runningThreads().remove();
  });
}

GenerationThread::~GenerationThread() = default;

bool GenerationThread::isPossible() {
  return !isClosed && runningThreads().areFewerThan(kMaxThreads);
}

void GenerationThread::close() {
  isClosed = true;
  runningThreads().waitForAll();
}

bool GenerationThread::isDone() const {
  std::lock_guard lock(shared->mutex);
  return shared->isDone;
}

Error GenerationThread::wait(const std::function<bool()> &isInterrupted) {
  constexpr std::chrono::milliseconds kPatience(20);
  std::unique_lock lock(shared->mutex);
  while (!shared->changed.wait_for(lock, kPatience, [&] { return shared->isDone; }))
    if (isInterrupted && isInterrupted()) {
      shared->generation->giveUp();
      runningThreads().noteGivenUp();
      return createStringError("interrupted");
    }
  if (shared->error.empty())
    return Error::success();
  return createStringError(shared->error);
}

Error jit::run(std::shared_ptr<Generation> generation, const std::function<bool()> &isInterrupted) {
  if (!isInterrupted)
    return generation->run();
  return GenerationThread(std::move(generation), {}).wait(isInterrupted);
}
