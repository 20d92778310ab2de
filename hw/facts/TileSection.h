//===- TileSection.h - the tiles of a DST section -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The description of the tiles of a DST section, which compiled code passes to
// hw/calls/TileSections.cpp. The JIT writes it as arrays of constants.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILESECTION_H
#define TTJIT_HW_FACTS_TILESECTION_H

#include <cstdint>

namespace ttjit::hw {

/// Largest number of tiles of a section: every tile is compared with every other one. Sections that
/// the compiler makes have at most three operands and one result per register.
inline constexpr int32_t kMaxSectionTiles = 64;

/// Front: a tile of the front of a buffer, which the section reads. Packed: a slot of the
/// reserved region of a buffer, which the section packs into. Scratch: a DST register as
/// memory for one tile of fp32.
enum class SectionTileKind : int32_t { Front = 0, Packed = 1, Scratch = 2 };

struct SectionTile {
  SectionTileKind kind;
  int32_t number; ///< index of the buffer, or of the register among those of all sections
  int32_t format; ///< number of the DataFormat that compiled code expects
};

static_assert(sizeof(SectionTile) == 3 * sizeof(int32_t), "the JIT writes three words");

/// What a section does, except which tiles it uses.
struct SectionFacts {
  int32_t steps;     ///< number of calls of the kernel API from acquire to release
  int32_t registers; ///< DST registers below this number are used
  int32_t tiles;     ///< number of tiles
};

static_assert(sizeof(SectionFacts) == 3 * sizeof(int32_t), "the JIT writes three words");

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILESECTION_H
