//===- ScratchRegisters.h - registers that are no part of DST -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For an engine that evaluates tiles as values, before DST registers are assigned:
// while one of these lives, the tile calls of the kernel API work on the engine's
// own tiles, with the checks of buffers and the arithmetic they always have.
// Sections and their order are left alone.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_SCRATCHREGISTERS_H
#define TTJIT_HW_ABI_SCRATCHREGISTERS_H

#include "hw/device/KernelThread.h"

#include <cstring>

namespace ttjit::hw {

class ScratchRegisters {
public:
  static constexpr uint32_t kMax = 8;

  /// Register i is `tiles + i * kDstTileElements`; none is written yet.
  ScratchRegisters(KernelThread &thread, float *tiles, uint32_t count)
      : thread(thread), math(thread.math), pack(thread.pack), mathWritten(thread.mathWritten),
        packWritten(thread.packWritten), capacity(thread.dstCapacity) {
    thread.math = thread.pack = tiles;
    thread.mathWritten = thread.packWritten = written;
    thread.dstCapacity = count;
  }
  ~ScratchRegisters() {
    thread.math = math;
    thread.pack = pack;
    thread.mathWritten = mathWritten;
    thread.packWritten = packWritten;
    thread.dstCapacity = capacity;
  }
  ScratchRegisters(const ScratchRegisters &) = delete;
  ScratchRegisters &operator=(const ScratchRegisters &) = delete;

  /// The register's tile was filled in by the engine.
  void setWritten(uint32_t index) { written[index] = 1; }

private:
  KernelThread &thread;
  float *math, *pack;
  uint8_t *mathWritten, *packWritten;
  uint32_t capacity;
  uint8_t written[kMax] = {};
};

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_SCRATCHREGISTERS_H
