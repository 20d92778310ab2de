//===- RankMessages.h - parts of a run in messages ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RANKMESSAGES_H
#define TTJIT_HW_DEVICE_RANKMESSAGES_H

#include "hw/device/Grid.h"
#include "hw/device/Run.h"
#include "hw/link/Bytes.h"

namespace ttjit::hw {

void put(ByteWriter &writer, const Fault &fault);
Fault takeFault(ByteReader &reader);

void put(ByteWriter &writer, const RunStats &stats);
RunStats takeStats(ByteReader &reader);

/// Write and read a transfer that has left for another device. takeTransfer() gives its bytes to
/// `bytes`, and sets its thread to that of this rank's `grid`.
void put(ByteWriter &writer, const Transfer &transfer);
Transfer takeTransfer(ByteReader &reader, Grid &grid, Message &bytes);

/// Writes the state of the threads and buffers of a node, which reports of deadlocks need.
void put(ByteWriter &writer, const Node &node);
/// Sets the state of a node of another rank. `alternatives` gets the alternatives of waits for any.
void takeNode(ByteReader &reader, Node &node, std::vector<std::vector<WaitState>> &alternatives);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RANKMESSAGES_H
