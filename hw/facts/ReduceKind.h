//===- ReduceKind.h - kind of a tile reduction ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_REDUCEKIND_H
#define TTJIT_HW_FACTS_REDUCEKIND_H

#include "hw/facts/TileDims.h"

namespace ttjit::hw {

/// A reduction's pool and dimensions, packed into the one number that
/// ttl_hw_reduce_tile takes.
struct ReduceKind {
  Pool pool;
  TileDims dims;

  constexpr int32_t number() const {
    return static_cast<int32_t>(pool) * kDims + static_cast<int32_t>(dims);
  }
  static constexpr ReduceKind of(int32_t number) {
    return {static_cast<Pool>(number / kDims), static_cast<TileDims>(number % kDims)};
  }

private:
  static constexpr int32_t kDims = 3;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_REDUCEKIND_H
