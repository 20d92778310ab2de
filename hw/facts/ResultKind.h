//===- ResultKind.h - how a tile follows from its inputs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_RESULTKIND_H
#define TTJIT_HW_FACTS_RESULTKIND_H

#include "hw/facts/TileDims.h"

#include <cstdint>

namespace ttjit::hw {

/// How the result of a tile operation follows from the tiles that it reads. Reduced + dims:
/// reduced over these TileDims.
enum class ResultKind : uint8_t {
  Constant,
  Copy,
  ByElement, ///< computed element by element
  Masked,    ///< by element; the operation puts infinities where the kernel wants them
  Whole,     ///< each element may depend on many
  Transposed,
  Reduced,
};

constexpr ResultKind reducedOver(TileDims dims) {
  return static_cast<ResultKind>(static_cast<uint8_t>(ResultKind::Reduced) +
                                 static_cast<uint8_t>(dims));
}
constexpr bool isReduced(ResultKind kind) { return kind >= ResultKind::Reduced; }
/// The dimensions of a reduction's result.
constexpr TileDims reducedDims(ResultKind kind) {
  return static_cast<TileDims>(static_cast<uint8_t>(kind) -
                               static_cast<uint8_t>(ResultKind::Reduced));
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_RESULTKIND_H
