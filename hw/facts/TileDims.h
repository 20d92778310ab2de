//===- TileDims.h - dimensions and kinds of reductions in a tile -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEDIMS_H
#define TTJIT_HW_FACTS_TILEDIMS_H

#include <cstdint>

namespace ttjit::hw {

/// The dimensions of a tile that a reduction folds or a broadcast fills, numbered as
/// Metalium's ReduceDim. Row: the innermost dimension (result in column 0). Col: the
/// other (row 0). Scalar: both (element (0, 0)).
enum class TileDims : uint8_t { Row = 0, Col = 1, Scalar = 2 };

/// The operation of a reduction: sum or maximum.
enum class Pool : uint8_t { Sum = 0, Max = 1 };

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEDIMS_H
