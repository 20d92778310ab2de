//===- ExactRows.h - exact values of tile operations ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The mathematical definition of each row of TileOps.def on floats, in long double. The explanation
// of errors and the tests of the lane functions compare results with it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_EXACTROWS_H
#define TTJIT_HW_EXPLAIN_EXACTROWS_H

#include "hw/facts/TileOps.h"

namespace ttjit::hw::explain {

/// Computes one element from the elements of the operands. `numbers` are the row's parameters,
/// with an integer parameter as a float.
using ExactFunction = long double (*)(const long double *operands, const float *numbers);

/// Returns null for a row that reads or makes integers.
ExactFunction exactFunction(TileOp op);

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_EXACTROWS_H
