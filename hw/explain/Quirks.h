//===- Quirks.h - surprising results of the card --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_QUIRKS_H
#define TTJIT_HW_EXPLAIN_QUIRKS_H

#include "hw/device/Program.h"

#include <string>
#include <vector>

namespace ttjit::hw::explain {

enum class QuirkKind : uint8_t {
  Normaliser,      ///< Wormhole's result of a sum of -1 in the last place
  InfinityLost,    ///< a product that overflowed became 0 in a later phase
  InvalidIsFinite, ///< inf - inf or inf * 0 became a number
  NaNIsInfinite,   ///< the packer or the unpacker made NaN infinite
  SmallLost,       ///< -0 or a denormal became +0
  MinusZero,       ///< a block float's minus zero was read as -infinity
  LastBit,         ///< the last bit of TF32 data in SrcA was not used
  Overflow,        ///< a finite number became infinite in the packer
  OtherChip,       ///< the other architecture has another result
};
inline constexpr int kNumQuirks = 9;

/// Returns what a quirk of this kind is, in words.
const char *describe(QuirkKind kind);

/// A surprising result of the card: one or more elements that an operation at one line made.
struct Quirk {
  QuirkKind kind;
  SourceLocation location;
  std::string place; ///< of the first: the tile, such as "tile 2 of 'a_dfb'"
  int row = 0, column = 0;
  uint64_t count = 0;
};

/// Collects the quirks of a run, one for each kind and line.
class Quirks {
public:
  /// Adds a quirk of element `element` (in face order) of the tile at `place`.
  void add(QuirkKind kind, const SourceLocation &location, const std::string &place, int element);
  const std::vector<Quirk> &all() const { return found; }

private:
  std::vector<Quirk> found;
};

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_QUIRKS_H
