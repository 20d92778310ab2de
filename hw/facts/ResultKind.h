//===- ResultKind.h - how a tile follows from its inputs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_RESULTKIND_H
#define TTJIT_HW_FACTS_RESULTKIND_H

#include "hw/facts/TileDims.h"

#include <cstdint>

namespace ttjit::hw {

/// How the result of a tile operation follows from the tiles that it reads. Each of the last three
/// is the first of three kinds, one for each of the TileDims: withDims() makes them.
enum class ResultKind : uint8_t {
  Constant,
  Copy,
  ByElement, ///< computed element by element
  Masked,    ///< the first tile; the kernel's zeros or infinities where the second one is 1
  Selected,  ///< an element of the second or third tile, as the first one says
  Product,   ///< the product of two matrices
  Transposed,
  Reduced,
  Broadcast = Reduced + 3,
  ByElementBroadcast = Broadcast + 3, ///< by element; the second tile is broadcast before
};

constexpr ResultKind withDims(ResultKind kind, TileDims dims) {
  return static_cast<ResultKind>(static_cast<uint8_t>(kind) + static_cast<uint8_t>(dims));
}
/// Returns the kind without its dimensions.
constexpr ResultKind withoutDims(ResultKind kind) {
  return kind >= ResultKind::ByElementBroadcast ? ResultKind::ByElementBroadcast
         : kind >= ResultKind::Broadcast        ? ResultKind::Broadcast
         : kind >= ResultKind::Reduced          ? ResultKind::Reduced
                                                : kind;
}
/// Returns the dimensions of a kind that withDims() has made.
constexpr TileDims dimsOf(ResultKind kind) {
  return static_cast<TileDims>(static_cast<uint8_t>(kind) -
                               static_cast<uint8_t>(withoutDims(kind)));
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_RESULTKIND_H
