//===- SessionLock.h - one Python thread at a time uses a session ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A session, its device and its MLIR context serve one thread at a time. A thread that
// compiles or launches takes the lock first. It waits without the GIL, because the thread that
// has the lock may need the GIL to go on.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_SESSIONLOCK_H
#define TTJIT_FRONTEND_SESSIONLOCK_H

#include "hw/device/FloatEnvironment.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace ttjit::frontend {

class SessionMutex {
public:
  /// The caller must hold the GIL. Raises a RuntimeError in a thread that already has the lock:
  /// Python code that a running kernel calls must not use the session.
  void lock();
  void unlock();

  /// Takes the lock for a fork, unless the forking thread has it.
  void beginFork();
  void endFork();

private:
  bool isMine() const { return owner.load() == std::this_thread::get_id(); }

  std::mutex mutex;
  std::atomic<std::thread::id> owner;
  bool forks = false; ///< whether the lock was taken for a fork
};

/// Makes os.fork() wait until no thread uses the session: a child has only the thread that forked,
/// and nobody would end there what the other threads began.
void lockAtFork(std::shared_ptr<SessionMutex> mutex);

/// While it exists, the calling thread uses the session, in the default floating-point environment.
class SessionLock {
public:
  explicit SessionLock(SessionMutex &mutex) : lock(mutex) { environment.emplace(); }
  /// Ends the use of the session before the object is destroyed.
  void unlock() {
    environment.reset();
    lock.unlock();
  }

private:
  std::unique_lock<SessionMutex> lock;
  std::optional<hw::DefaultFloatEnvironment> environment;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_SESSIONLOCK_H
