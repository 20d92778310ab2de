//===- ChipMap.h - where cores and banks are on a chip --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_CHIPMAP_H
#define TTJIT_TOOLS_TIMING_CHIPMAP_H

#include "tools/timing/Recording.h"

#include <utility>

namespace ttjit::timing {

/// The NoC of a chip as a torus of routers, in physical coordinates of NoC 0. Chips differ in which
/// rows (Wormhole) or columns (Blackhole) are switched off: this map assumes the last ones.
class ChipMap {
public:
  ChipMap(bool isBlackhole, int columnsOfDevice)
      : isBlackhole(isBlackhole), columnsOfDevice(columnsOfDevice) {}

  /// Returns the number of routers from one place to another. NoC 0 goes right and down, NoC 1 up
  /// and left.
  int hops(const Endpoint &from, const Endpoint &to, int noc) const;

  /// Calls `visit(number)` for the links from one place to another, in order: NoC 0 goes right,
  /// then down, NoC 1 up, then left. Numbers are less than numLinks().
  template <typename Visit>
  void forLinks(const Endpoint &from, const Endpoint &to, int noc, Visit visit) const {
    forLinksBetween(positionOf(from), positionOf(to), noc, visit);
  }
  template <typename Visit>
  void forLinksBetween(std::pair<int, int> from, std::pair<int, int> to, int noc,
                       Visit visit) const;
  size_t numLinks() const { return size_t(columns()) * size_t(rows()) * 4; }

  /// The same between physical positions.
  int hopsBetween(std::pair<int, int> from, std::pair<int, int> to, int noc) const;

  /// Returns the physical column and row of a place.
  std::pair<int, int> positionOf(const Endpoint &place) const {
    Point point = pointOf(place);
    return {point.x, point.y};
  }
  int columns() const { return isBlackhole ? 17 : 10; }
  int rows() const { return 12; }

private:
  struct Point {
    int x, y;
  };
  Point pointOf(const Endpoint &place) const;

  bool isBlackhole;
  int columnsOfDevice;
};

template <typename Visit>
void ChipMap::forLinksBetween(std::pair<int, int> from, std::pair<int, int> to, int noc,
                              Visit visit) const {
  Point at{from.first % columns(), from.second % rows()};
  Point end{to.first % columns(), to.second % rows()};
  int step = noc == 1 ? -1 : 1;
  auto number = [&](int direction) {
    return ((size_t(noc) * size_t(rows()) + size_t(at.y)) * size_t(columns()) + size_t(at.x)) * 2 +
           size_t(direction);
  };
  auto move = [&](bool isColumn) {
    int &value = isColumn ? at.x : at.y, extent = isColumn ? columns() : rows();
    for (int goal = isColumn ? end.x : end.y; value != goal;
         value = (value + step + extent) % extent)
      visit(number(isColumn ? 0 : 1));
  };
  move(noc == 0);
  move(noc != 0);
}

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_CHIPMAP_H
