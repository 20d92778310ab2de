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

/// A transfer that has left for another device. taken() gives the bytes to `bytes`, and the thread
/// of this rank's `grid` to the transfer.
void put(ByteWriter &writer, const Transfer &transfer);
Transfer takeTransfer(ByteReader &reader, Grid &grid, Message &bytes);

/// The state of the threads and buffers of a node, as reports of deadlocks need it.
void put(ByteWriter &writer, const Node &node);
/// Sets the state of a node of another rank. `alternatives` gets what threads wait for.
void takeNode(ByteReader &reader, Node &node, std::vector<std::vector<WaitState>> &alternatives);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RANKMESSAGES_H
