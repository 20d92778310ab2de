//===- RunStats.cpp - sums of the counts of runs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Run.h"

#include <algorithm>

namespace ttjit::hw {

static void addTraffic(RunStats &stats, const RunStats &own) {
  stats.devices.resize(std::max(stats.devices.size(), own.devices.size()));
  for (size_t device = 0; device < own.devices.size(); ++device) {
    DeviceStats &sum = stats.devices[device];
    sum.bytesRead += own.devices[device].bytesRead;
    sum.bytesWritten += own.devices[device].bytesWritten;
    sum.bytesSent += own.devices[device].bytesSent;
  }
  for (const auto &[ends, link] : own.links) {
    LinkStats &sum = stats.links[ends];
    sum.bytes += link.bytes;
    sum.blocks += link.blocks;
    sum.signals += link.signals;
  }
}

void addStats(RunStats &stats, const RunStats &own) {
  stats.blocksPushed += own.blocksPushed;
  stats.blocksPopped += own.blocksPopped;
  stats.bytesRead += own.bytesRead;
  stats.bytesWritten += own.bytesWritten;
  stats.bytesSent += own.bytesSent;
  stats.bytesReceived += own.bytesReceived;
  stats.transfers += own.transfers;
  stats.mostOutstanding = std::max(stats.mostOutstanding, own.mostOutstanding);
  stats.outstanding += own.outstanding;
  stats.contextSwitches += own.contextSwitches;
  stats.steps += own.steps;
  addTraffic(stats, own);
}

} // namespace ttjit::hw
