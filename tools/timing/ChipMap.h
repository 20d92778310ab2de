//===- ChipMap.h - where cores and banks are on a chip --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_CHIPMAP_H
#define TTJIT_TOOLS_TIMING_CHIPMAP_H

#include "tools/timing/Recording.h"

namespace ttjit::timing {

/// The NoC of a chip as a torus of routers, in physical coordinates of NoC 0. Chips differ in
/// which rows (Wormhole) or columns (Blackhole) are switched off: this map switches off the last.
class ChipMap {
public:
  ChipMap(bool isBlackhole, int columnsOfDevice)
      : isBlackhole(isBlackhole), columnsOfDevice(columnsOfDevice) {}

  /// Returns the number of routers from one place to another. NoC 0 goes right and down, NoC 1 up
  /// and left.
  int hops(const Endpoint &from, const Endpoint &to, int noc) const;

private:
  struct Point {
    int x, y;
  };
  Point pointOf(const Endpoint &place) const;

  bool isBlackhole;
  int columnsOfDevice;
};

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_CHIPMAP_H
