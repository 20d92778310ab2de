//===- ProgramIndex.h - finds parts of a program by number ----------*- C++ -*-===//
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

  /// Returns null if the program has no such buffer. If several buffers have one index, which the
  /// device refuses, returns the first.
  const BufferConfig *bufferConfig(uint32_t index) const {
    return index < buffers.size() ? buffers[index] : nullptr;
  }
  /// Returns one more than the largest index of a buffer.
  uint32_t numBuffers() const { return static_cast<uint32_t>(buffers.size()); }

  const SemaphoreConfig *semaphoreAt(uint32_t address) const;
  /// Returns whether some nodes lack a semaphore that other nodes have.
  bool semaphoresDiffer() const { return differ; }
  /// Returns the role of a semaphore's word; null if the program does not say what the word counts.
  const WordRole *roleAt(uint32_t node, uint32_t address) const;

  const SourceLocation &location(uint32_t loc) const;
  /// Returns the position of the thread's current call; if it is unknown, that of its function.
  const SourceLocation &location(const ThreadContext &thread) const;
  /// Returns the language of the thread's current line: a kernel in Python may call C++ functions.
  KernelLanguage languageAt(const ThreadContext &thread) const;
  /// Returns whether threads run C++ functions.
  bool runsCpp() const;

private:
  const Program &program;
  const ArchDesc &arch;
  std::vector<const BufferConfig *> buffers; ///< indexed by buffer index
  bool differ = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PROGRAMINDEX_H
