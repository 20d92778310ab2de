//===- HostThreads.cpp - host threads that runs share -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/HostThreads.h"

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ttjit::hw {

namespace {

// While this object exists, new host threads start with blocked signals, so that the program's own
// thread handles those that other processes send. Signals of instructions cannot be blocked.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
      sigdelset(&all, signal);
    pthread_sigmask(SIG_SETMASK, &all, &callers);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &callers, nullptr); }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;

private:
  sigset_t callers;
};

} // namespace

struct HostThreads::Pool {
  ~Pool();
  void grow(size_t count);
  void serve(size_t number);

  std::mutex mutex;
  std::condition_variable begun, ended;
  std::vector<std::thread> threads; // thread i has number i + 1
  Work work;
  uint64_t round = 0;          // number of calls of start() so far; each is a round
  size_t wanted = 0, busy = 0; // threads that take part in this round; those that still work
  bool closing = false;
  pid_t process = getpid();
};

HostThreads::Pool::~Pool() {
  {
    std::lock_guard lock(mutex);
    closing = true;
  }
  begun.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void HostThreads::Pool::grow(size_t count) {
  BlockedSignals blocked;
  while (threads.size() < count) {
    size_t number = threads.size() + 1;
    threads.emplace_back([this, number] { serve(number); });
  }
}

void HostThreads::Pool::serve(size_t number) {
  std::unique_lock lock(mutex);
  for (uint64_t seen = 0;;) {
    begun.wait(lock, [&] { return closing || (round != seen && number <= wanted); });
    if (closing)
      return;
    seen = round;
    lock.unlock();
    work(number);
    lock.lock();
    if (--busy == 0)
      ended.notify_all();
  }
}

HostThreads::HostThreads() = default;

// A child process that fork() made has none of the threads, so it must not join them.
HostThreads::~HostThreads() {
  if (pool && pool->process != getpid())
    (void)pool.release();
}

void HostThreads::start(size_t count, Work work) {
  if (pool && pool->process != getpid())
    (void)pool.release();
  if (!pool)
    pool = std::make_unique<Pool>();
  pool->grow(count);
  {
    std::lock_guard lock(pool->mutex);
    pool->work = std::move(work);
    pool->wanted = pool->busy = count;
    ++pool->round;
  }
  pool->begun.notify_all();
}

void HostThreads::wait() {
  std::unique_lock lock(pool->mutex);
  pool->ended.wait(lock, [&] { return pool->busy == 0; });
  pool->work = nullptr;
}

size_t numHostThreads() {
  size_t count = std::thread::hardware_concurrency();
  return count ? count : 1;
}

} // namespace ttjit::hw
