//===- TileCall.h - what a call computes on tiles -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILECALL_H
#define TTJIT_HW_FACTS_TILECALL_H

#include <cstdint>

namespace ttjit::hw {

/// Details of a call that computes a tile, besides the ResultKind of its result, for listeners.
struct TileCall {
  int32_t row = -1;               ///< TileOp of the row of TileOps.def; -1: the call is no row
  bool isMatrix = false;          ///< whether the matrix engine computes the row
  int32_t number = 0;             ///< integer of a row that takes one; Pool of a reduction
  const float *numbers = nullptr; ///< parameters of a row; the value of a fill
  const char *function = nullptr; ///< name of a function that only kernels in C++ have
};

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILECALL_H
