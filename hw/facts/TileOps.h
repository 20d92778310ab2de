//===- TileOps.h - names of the tile operations ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The enumeration over TileOps.def and the facts of each row. Header-only leaf:
// every folder may include it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEOPS_H
#define TTJIT_HW_FACTS_TILEOPS_H

#include <cstdint>

namespace ttjit::hw {

enum class TileOp : uint8_t {
#define TILE_UNARY(Id, name, call, init, header) Id,
#define TILE_BINARY(Id, name, call, init, header) Id,
#include "hw/facts/TileOps.def"
};

struct TileOpFacts {
  TileOp op;
  const char *name;    ///< "exp": part of the IR ops' names and of the lane function's
  const char *call;    ///< Metalium's call
  const char *init;    ///< Metalium's initialisation
  const char *header;  ///< relative to api/compute/
  int operands;        ///< 1: in place on one register; 2: reads two, writes a third
};

inline constexpr TileOpFacts kTileOps[] = {
#define TILE_UNARY(Id, name, call, init, header) {TileOp::Id, #name, #call, #init, header, 1},
#define TILE_BINARY(Id, name, call, init, header) {TileOp::Id, #name, #call, #init, header, 2},
#include "hw/facts/TileOps.def"
};

inline constexpr int kNumTileOps = sizeof(kTileOps) / sizeof(kTileOps[0]);

constexpr const TileOpFacts &factsOf(TileOp op) { return kTileOps[static_cast<int>(op)]; }

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEOPS_H
