//===- BufferResets.h - empties buffers of a node -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// hw/calls/BufferReset.cpp decides when a buffer is reset. Bytes that another node sent into the
// buffer before the reset must not land after it. So a transfer has the number of resets of its
// buffers at its issue, and the NoC compares it with the number at the landing.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_BUFFERRESETS_H
#define TTJIT_HW_DEVICE_BUFFERRESETS_H

#include "hw/device/Faults.h"

namespace ttjit::hw {

/// Returns the user's name of the call that resets, such as "ttl.reset_dfbs".
std::string resetName(const Program &program, int64_t reset);

/// Returns the threads that have not reached the reset at which `thread` waits: at least one.
std::vector<const ThreadContext *> missingAtReset(const ThreadContext &thread);

/// Drops all blocks of a buffer and sets both positions to page 0. Its bytes do not change. After
/// that, other threads may become its producer and consumer. No thread of the node may be blocked
/// at the buffer or have transfers of it in flight.
void resetBuffer(Node &node, const BufferConfig &buffer, int32_t reset);

/// Finds the transfers that land in a buffer that was reset after their issue.
class LateTransfers {
public:
  LateTransfers(const Program &program, const ProgramIndex &index, Grid &grid, Faults &faults)
      : program(program), index(index), grid(grid), faults(faults),
        canBeLate(!program.resets.empty()) {}

  void noteIssue(Transfer &transfer) {
    if (canBeLate)
      transfer.resets = resetsAt(transfer);
  }
  /// Ends the run if the transfer is late.
  void checkLanding(const Transfer &transfer) {
    if (canBeLate && transfer.resets != resetsAt(transfer))
      report(transfer);
  }

private:
  /// Returns how often the buffers in which a transfer to cores ends have been reset.
  uint64_t resetsAt(const Transfer &transfer);
  void report(const Transfer &transfer);

  const Program &program;
  const ProgramIndex &index;
  Grid &grid;
  Faults &faults;
  const bool canBeLate;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_BUFFERRESETS_H
