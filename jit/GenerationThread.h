//===- GenerationThread.h - generates code on a thread of its own ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM cannot stop in the middle of a generation. On a thread of its own, a caller can give a
// generation up when the user presses Ctrl-C, or do other work until the code is there. The thread
// owns all that it uses. A process that forks waits until no such thread runs, because the child
// has no copy of it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_GENERATIONTHREAD_H
#define TTJIT_JIT_GENERATIONTHREAD_H

#include "jit/Generation.h"

#include <functional>
#include <memory>

namespace ttjit::jit {

class GenerationThread {
public:
  /// Starts the thread. If `store` is empty, the caller waits for the thread. Else the caller does
  /// other work: threads of this kind generate one after the other, and `store` gets a generation
  /// that succeeded on its thread before it counts as done.
  GenerationThread(std::shared_ptr<Generation> generation,
                   std::function<void(const Generation &)> store);
  /// Does not end the thread.
  ~GenerationThread();
  GenerationThread(const GenerationThread &) = delete;

  /// Returns whether few enough threads run for another one.
  static bool isPossible();
  /// Call it before the process ends, because LLVM's global objects end with it. Waits for the
  /// thread that generates code, so that it can store it. The others do not begin, unless none
  /// has begun: then one does, and is waited for.
  static void close();
  bool isDone() const;
  /// Waits until the thread is done, and returns the error of the generation. Asks `isInterrupted`
  /// every few milliseconds; as soon as it returns true, gives the generation up and fails with
  /// the text "interrupted". `isInterrupted` may be empty.
  llvm::Error wait(const std::function<bool()> &isInterrupted);

private:
  struct Shared;
  std::shared_ptr<Shared> shared;
};

/// Runs the generation and waits for it. If `isInterrupted` is empty, everything happens on this
/// thread.
llvm::Error run(std::shared_ptr<Generation> generation, const std::function<bool()> &isInterrupted);

} // namespace ttjit::jit

#endif // TTJIT_JIT_GENERATIONTHREAD_H
