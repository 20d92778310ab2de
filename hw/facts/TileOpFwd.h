//===- TileOpFwd.h - declaration of the tile operations -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Declares TileOp without its enumerators. Headers include this file, so that a change of
// TileOps.def recompiles only the files that include hw/facts/TileOps.h.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEOPFWD_H
#define TTJIT_HW_FACTS_TILEOPFWD_H

#include <cstdint>

namespace ttjit::hw {

enum class TileOp : uint8_t;

/// The number of every TileOp is below this limit.
inline constexpr int kMaxTileOps = 256;

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEOPFWD_H
