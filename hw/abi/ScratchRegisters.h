//===- ScratchRegisters.h - registers outside of DST ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// While a ScratchRegisters object exists, the thread's tile calls work on tiles of the
// engine instead of DST registers, with the same checks of buffers and the same
// arithmetic. An engine uses this to evaluate tiles as values in stages that have not
// assigned DST registers. DST sections and their order do not change.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_SCRATCHREGISTERS_H
#define TTJIT_HW_ABI_SCRATCHREGISTERS_H

#include "hw/abi/KernelThread.h"

namespace ttjit::hw {

class ScratchRegisters {
public:
  /// One register, which does not count as written yet.
  ScratchRegisters(KernelThread &thread, float *tile) : ScratchRegisters(thread, tile, &own, 1) {}
  /// Register i is `tiles + i * kDstTileElements`, and counts as written if `written[i]` is 1.
  ScratchRegisters(KernelThread &thread, float *tiles, uint8_t *written, uint32_t count)
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

  /// Marks the one register as written after the engine filled in its tile.
  void setWritten() { own = 1; }

private:
  KernelThread &thread;
  float *math, *pack;
  uint8_t *mathWritten, *packWritten;
  uint32_t capacity;
  uint8_t own = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_SCRATCHREGISTERS_H
