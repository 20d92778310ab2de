//===- LandingQueues.h - payloads that wait to be received ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A queued range of L1 (L1Range::isQueued) takes any number of payloads. Each address of it has a
// queue: a write from another core adds a payload, and a read by the owner takes the oldest one.
// The program must not read more payloads than arrived. Such a run uses one host thread.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_LANDINGQUEUES_H
#define TTJIT_HW_DEVICE_LANDINGQUEUES_H

#include "hw/device/Program.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ttjit::hw {

class LandingQueues {
public:
  explicit LandingQueues(const Program &program);

  /// Returns whether a queued range has this address.
  bool has(uint32_t address) const;
  void push(uint32_t node, uint32_t address, const uint8_t *bytes, uint32_t count);
  /// Copies the oldest payload to `to` and removes it. Returns false if none of this size is there.
  bool pop(uint32_t node, uint32_t address, uint8_t *to, uint32_t count);

private:
  std::vector<std::pair<uint32_t, uint32_t>> ranges; ///< first and last address
  /// By node and address.
  std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<uint8_t>>> queues;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_LANDINGQUEUES_H
