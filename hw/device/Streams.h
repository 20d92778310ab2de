//===- Streams.h - transfers that land in the order of their issue --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Keys of ordered streams (Transfer::stream), made of virtual channel and destination. Reads belong
// to no stream.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_STREAMS_H
#define TTJIT_HW_DEVICE_STREAMS_H

#include "hw/device/NocAddress.h"

namespace ttjit::hw {

/// The virtual channel that the hardware uses by default, as part of a stream's key.
inline constexpr uint64_t kUnicastChannel = uint64_t(1) << 56;
inline constexpr uint64_t kMulticastChannel = uint64_t(4) << 56;

inline uint64_t streamToCore(int virtualX, int virtualY) {
  return kUnicastChannel | 1u << 20 | static_cast<uint64_t>(virtualY) << 24 |
         static_cast<uint64_t>(virtualX);
}

/// Returns the stream of everything that a thread sends to another device, which stays in order.
inline uint64_t streamToDevice(int device) {
  return kUnicastChannel | 3u << 20 | static_cast<uint64_t>(device);
}

inline uint64_t streamToBank(uint32_t bank) { return kUnicastChannel | 2u << 20 | bank; }

inline uint64_t streamToRectangle(const NocAddress &a) {
  uint64_t corners = NocAddress{0, a.x, a.y, a.startX, a.startY}.encode();
  return kMulticastChannel | corners >> 8;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_STREAMS_H
