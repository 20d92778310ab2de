//===- TileDims.h - dimensions and kinds of reductions in a tile -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEDIMS_H
#define TTJIT_HW_FACTS_TILEDIMS_H

#include <cstdint>

namespace ttjit::hw {

/// Which dimensions of a tile a reduction sums or a broadcast fills, as Metalium
/// numbers ReduceDim: the innermost (column 0), the other (row 0), both (element
/// (0, 0)).
enum class TileDims : uint8_t { Row = 0, Col = 1, Scalar = 2 };

/// What a reduction computes.
enum class Pool : uint8_t { Sum = 0, Max = 1 };

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEDIMS_H
