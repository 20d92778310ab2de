//===- GenerationThread.h - generates code on a thread of its own ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM cannot stop in the middle of a generation. If it runs on its own thread, a caller can
// abandon it when the user presses Ctrl-C, or do other work until the code is there. The thread
// owns all that it uses. A process that forks first waits until no such thread runs, because the
// child has no copy of it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_GENERATIONTHREAD_H
#define TTJIT_JIT_GENERATIONTHREAD_H

#include "jit/Generation.h"

#include <functional>
#include <memory>

namespace ttjit::jit {

class GenerationThread {
public:
  /// Starts the thread. If `store` is empty, the caller will wait for the thread. Otherwise the
  /// caller does other work: such threads generate one after the other, and each calls `store` with
  /// its generation, if that succeeded, before isDone() returns true.
  GenerationThread(std::shared_ptr<Generation> generation,
                   std::function<void(const Generation &)> store);
  /// Does not stop the thread, which owns all that it uses.
  ~GenerationThread();
  GenerationThread(const GenerationThread &) = delete;

  /// Returns whether another thread may start: fewer than the largest number run.
  static bool isPossible();
  /// Call it before the process ends, because LLVM's global objects end with it. Waits for the
  /// thread that generates code, so that the thread can store it. No other generation begins. If
  /// none has begun yet, one does, and close() waits for it.
  static void close();
  bool isDone() const;
  /// Waits until the thread is done, and returns the error of the generation. Calls `isInterrupted`
  /// every few milliseconds, unless it is empty. When it returns true, wait() abandons the
  /// generation and fails with the text "interrupted".
  llvm::Error wait(const std::function<bool()> &isInterrupted);

private:
  struct Shared;
  std::shared_ptr<Shared> shared;
};

/// Runs the generation and waits for it. If `isInterrupted` is empty, runs it on the calling
/// thread.
llvm::Error run(std::shared_ptr<Generation> generation, const std::function<bool()> &isInterrupted);

} // namespace ttjit::jit

#endif // TTJIT_JIT_GENERATIONTHREAD_H
