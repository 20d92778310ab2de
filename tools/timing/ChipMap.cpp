//===- ChipMap.cpp - where cores and banks are on a chip ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Wormhole has 10 x 12 routers: DRAM in columns 0 and 5, Ethernet in rows 0 and 6. Blackhole has
// 17 x 12: DRAM in columns 0 and 9, other tiles in column 8 and rows 0 and 1.
//===--------------------------------------------------------------------------===//

#include "tools/timing/ChipMap.h"

#include <algorithm>
#include <utility>

using namespace ttjit;
using namespace ttjit::timing;

// The physical columns and rows that have worker cores.
static constexpr int kWormholeColumns[] = {1, 2, 3, 4, 6, 7, 8, 9};
static constexpr int kWormholeRows[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
static constexpr int kBlackholeColumns[] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};
static constexpr int kBlackholeRows[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

// Routers of the banks of DRAM.
static constexpr std::pair<int, int> kWormholeBanks[] = {
    {0, 0}, {0, 1}, {0, 5}, {0, 7}, {5, 0}, {5, 1}, {5, 2}, {5, 9}, {5, 3}, {5, 4}, {5, 5}, {5, 7}};
static constexpr std::pair<int, int> kBlackholeBanks[] = {{0, 0}, {0, 2}, {0, 8}, {0, 5},
                                                          {9, 0}, {9, 2}, {9, 8}, {9, 5}};

// Returns the physical column or row. Grids that are larger than the chip begin again at 0.
template <size_t count> static int physical(const int (&table)[count], int logical) {
  return table[static_cast<size_t>(logical) % count];
}

ChipMap::Point ChipMap::pointOf(const Endpoint &place) const {
  if (place.kind == Endpoint::Bank) {
    auto [x, y] = isBlackhole ? kBlackholeBanks[size_t(place.x) % std::size(kBlackholeBanks)]
                              : kWormholeBanks[size_t(place.x) % std::size(kWormholeBanks)];
    return {x, y};
  }
  int column = place.device < 0 ? place.x % columnsOfDevice : place.x;
  return isBlackhole ? Point{physical(kBlackholeColumns, column), physical(kBlackholeRows, place.y)}
                     : Point{physical(kWormholeColumns, column), physical(kWormholeRows, place.y)};
}

int ChipMap::hops(const Endpoint &from, const Endpoint &to, int noc) const {
  return hopsBetween(positionOf(from), positionOf(to), noc);
}

int ChipMap::hopsBetween(std::pair<int, int> from, std::pair<int, int> to, int noc) const {
  if (noc == 1)
    std::swap(from, to);
  return (to.first - from.first + columns()) % columns() +
         (to.second - from.second + rows()) % rows();
}
