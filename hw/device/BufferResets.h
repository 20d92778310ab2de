//===- BufferResets.h - empties buffers of a node -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// hw/calls/BufferReset.cpp says when a buffer is reset. Bytes that another node sent into a buffer
// before the reset must not land after it: the NoC compares the number of resets at the issue of
// a transfer with that at its landing.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_BUFFERRESETS_H
#define TTJIT_HW_DEVICE_BUFFERRESETS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ttjit::hw {

class Machine;
struct Node;
struct Program;
struct ThreadContext;
struct Transfer;

/// Returns the user's call, such as "ttl.reset_dfbs".
std::string resetName(const Program &program, int64_t reset);

/// Returns the threads that have not reached the reset at which `thread` waits. There is one.
std::vector<const ThreadContext *> missingAtReset(const ThreadContext &thread);

/// Drops all blocks of a buffer and sets both positions to page 0. Its bytes stay. Other threads
/// may use its sides from then on. No thread of the node may be blocked at the buffer or have
/// transfers of it in flight.
void resetBuffer(Machine &machine, Node &node, uint32_t buffer, int32_t reset);

/// Returns how often the buffers in which a transfer to cores ends have been reset. Any host thread
/// may call this.
uint64_t resetsAtDestination(Machine &machine, const Transfer &transfer);

/// Ends the run because a transfer has landed in a buffer that was reset after its issue.
void faultOfLateTransfer(Machine &machine, const Transfer &transfer);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_BUFFERRESETS_H
