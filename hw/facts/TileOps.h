//===- TileOps.h - names of the tile operations ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The enumeration over TileOps.def and the facts of each row. This header includes no
// other header of the tree.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEOPS_H
#define TTJIT_HW_FACTS_TILEOPS_H

#include "hw/facts/TileOpFwd.h"

#include <cstdint>

namespace ttjit::hw {

enum class TileOp : uint8_t {
#define TILE_UNARY(Id, name, call, init, header) Id,
#define TILE_UNARY_PARAM(Id, name, call, init, header, params) Id,
#define TILE_UNARY_INT(Id, name, call, init, header) Id,
#define TILE_BINARY(Id, name, call, init, header) Id,
#define TILE_TERNARY(Id, name, call, init, header) Id,
#define TILE_MASK(Id, name, call, init, header) Id,
#include "hw/facts/TileOps.def"
};

/// The kind of a row: the macro of TileOps.def that defines it.
enum class TileOpKind : uint8_t { Unary, UnaryParam, UnaryInt, Binary, Ternary, Mask };

struct TileOpFacts {
  TileOp op;
  const char *name;   ///< such as "exp": part of the names of the IR ops and of the lane function
  const char *call;   ///< name of Metalium's function that computes
  const char *init;   ///< name of Metalium's function that prepares the unit
  const char *header; ///< path of Metalium's header, relative to api/compute/
  TileOpKind kind;
  int operands; ///< number of DST registers that it reads
  int params;   ///< number of fp32 parameters

  /// Returns whether the operation overwrites the register of its first operand.
  constexpr bool isInPlace() const { return operands == 1 || kind == TileOpKind::Mask; }
};

inline constexpr TileOpFacts kTileOps[] = {
#define TILE_ROW(Id, name, call, init, header, kind, operands, params)                             \
  {TileOp::Id, #name, #call, #init, header, TileOpKind::kind, operands, params},
#define TILE_UNARY(Id, name, call, init, header) TILE_ROW(Id, name, call, init, header, Unary, 1, 0)
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  TILE_ROW(Id, name, call, init, header, UnaryParam, 1, params)
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  TILE_ROW(Id, name, call, init, header, UnaryInt, 1, 0)
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  TILE_ROW(Id, name, call, init, header, Binary, 2, 0)
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  TILE_ROW(Id, name, call, init, header, Ternary, 3, 0)
#define TILE_MASK(Id, name, call, init, header) TILE_ROW(Id, name, call, init, header, Mask, 2, 0)
#include "hw/facts/TileOps.def"
#undef TILE_ROW
};
inline constexpr int kNumTileOps = sizeof(kTileOps) / sizeof(kTileOps[0]);
static_assert(kNumTileOps <= kMaxTileOps);

constexpr const TileOpFacts &factsOf(TileOp op) { return kTileOps[static_cast<int>(op)]; }

/// Returns whether the row reads or writes integers, or rounds to a storage format (typecasts).
constexpr bool movesIntegers(TileOp op) {
  return (op >= TileOp::ToBFloat16 && op <= TileOp::ToUInt8) ||
         (op >= TileOp::AddInt && op <= TileOp::WhereInt);
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEOPS_H
