//===- ProgramIndex.h - finds what a program says -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PROGRAMINDEX_H
#define TTJIT_HW_DEVICE_PROGRAMINDEX_H

#include "hw/device/Program.h"
#include "hw/facts/Arch.h"

namespace ttjit::hw {

struct ThreadContext; // defined in hw/device/ThreadContext.h

/// Finds the buffers, semaphores, words and positions of a program by the numbers that threads use.
class ProgramIndex {
public:
  /// Indices of buffers are below this number.
  static constexpr int kMaxBuffers = 1024;

  ProgramIndex(const Program &program, const ArchDesc &arch);

  /// Null if the program has no such buffer. If several buffers have one index, which is refused,
  /// it returns the first.
  const BufferConfig *bufferConfig(uint32_t index) const {
    return index < buffers.size() ? buffers[index] : nullptr;
  }
  /// One more than the largest index of a buffer.
  uint32_t numBuffers() const { return static_cast<uint32_t>(buffers.size()); }

  const SemaphoreConfig *semaphoreAt(uint32_t address) const;
  /// Whether some semaphore is on some nodes only.
  bool semaphoresDiffer() const { return differ; }
  /// Returns the role of a semaphore's word; null if the program does not say what the word counts.
  const WordRole *roleAt(uint32_t node, uint32_t address) const;

  const SourceLocation &location(uint32_t loc) const;
  /// The position of the thread's current call; if unknown, the position of its function.
  const SourceLocation &location(const ThreadContext &thread) const;
  /// The language of the line at which a thread is: a kernel in Python may call functions in C++.
  KernelLanguage languageAt(const ThreadContext &thread) const;

private:
  const Program &program;
  const ArchDesc &arch;
  std::vector<const BufferConfig *> buffers; ///< indexed by buffer index
  bool differ = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PROGRAMINDEX_H
