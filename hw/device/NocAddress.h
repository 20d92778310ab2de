//===- NocAddress.h - 64-bit NoC addresses --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium's layout: local address [31:0], x [41:36], y [47:42], and for a
// multicast the other corner in x [53:48], y [59:54]. Bits that the hardware
// leaves unused hold two more bits of each coordinate ([33:32], [35:34], [61:60],
// [63:62]), so that grids larger than any chip can be addressed; on a real grid
// they are 0. The grids of all devices of a mesh are side by side, so that a unicast
// can have a column of 255 or more: the other corner then has row 0, which no
// multicast has, and its column is 1 plus the higher bits of x.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NOCADDRESS_H
#define TTJIT_HW_DEVICE_NOCADDRESS_H

#include <algorithm>
#include <cstdint>

namespace ttjit::hw {

/// Coordinates are virtual. For a unicast (startX, startY) is (0, 0).
struct NocAddress {
  /// Coordinates that are negative or too large become this number. No core is in this row or
  /// column.
  static constexpr int kNowhere = 255;
  /// A column of a unicast must be below this number.
  static constexpr int kMostColumns = 254 << 8;
  /// The largest column that a multicast can have.
  static constexpr int kMostOfMulticast = 254;
  /// The row of the DRAM banks: bank i has the column i. No core has this row.
  static constexpr int kDramRow = 254;

  uint32_t local = 0;
  int x = 0, y = 0;
  int startX = 0, startY = 0;

  static NocAddress ofDram(uint32_t bank, uint32_t address) {
    return {address, static_cast<int>(bank), kDramRow};
  }
  bool isDram() const { return y == kDramRow; }

  uint64_t encode() const {
    if (x >= kNowhere && x < kMostColumns && startX == 0 && startY == 0)
      return NocAddress{local, x & 255, y, 1 + (x >> 8), 0}.encodeFields();
    if ((startX != 0 || startY != 0) && std::max(x, startX) > kMostOfMulticast)
      return NocAddress{local, kNowhere, kNowhere, kNowhere, kNowhere}.encodeFields();
    return encodeFields();
  }

  static NocAddress decode(uint64_t address) {
    NocAddress found = decodeFields(address);
    if (found.startX == 0 || found.startY != 0)
      return found;
    return {found.local, found.x | (found.startX - 1) << 8, found.y};
  }

private:
  uint64_t encodeFields() const {
    return local | low(x) << 36 | low(y) << 42 | low(startX) << 48 | low(startY) << 54 |
           high(x) << 32 | high(y) << 34 | high(startX) << 60 | high(startY) << 62;
  }

  static NocAddress decodeFields(uint64_t address) {
    auto coordinate = [address](int lowBit, int highBit) {
      return static_cast<int>((address >> lowBit & 63) | (address >> highBit & 3) << 6);
    };
    return {static_cast<uint32_t>(address), coordinate(36, 32), coordinate(42, 34),
            coordinate(48, 60), coordinate(54, 62)};
  }

  static uint64_t clamp(int value) {
    return static_cast<uint64_t>(value < 0 ? kNowhere : std::min(value, kNowhere));
  }
  static uint64_t low(int value) { return clamp(value) & 63; }
  static uint64_t high(int value) { return clamp(value) >> 6; }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NOCADDRESS_H
