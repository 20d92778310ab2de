//===- IdealTiles.h - the card's arithmetic without one effect ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_IDEALTILES_H
#define TTJIT_HW_EXPLAIN_IDEALTILES_H

#include "hw/explain/TrackedTile.h"
#include "hw/tile/TileMath.h"

#include <optional>

namespace ttjit::hw::explain {

/// Returns the arithmetic of the card with one effect made ideal: DST holds fp32, or products use
/// all bits that HiFi4 uses, or the routines of the vector engine are exact before DST rounds their
/// results. Returns nothing if this effect alone cannot be left out.
std::optional<TileKernels> tilesWithout(const NumericConfig &config, Cause cause, int row);

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_IDEALTILES_H
