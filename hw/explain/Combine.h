//===- Combine.h - one operation in all lanes -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_COMBINE_H
#define TTJIT_HW_EXPLAIN_COMBINE_H

#include "hw/explain/TrackedTile.h"

#include <functional>
#include <span>

namespace ttjit::hw::explain {

/// Computes an operation in fp64.
using ExactOperation = std::function<Reals(std::span<const Reals> operands)>;

/// What one cause added to the elements of a result.
struct ErrorPart {
  Cause cause;
  int row; ///< of Cause::Vector
  Reals error;
};

/// What is known of an operation that the card has computed.
struct ObservedOperation {
  ExactOperation exact;
  Reals onDevice; ///< its exact result for the card's operands
  const float *result = nullptr;
  /// The differences between the card's result and `onDevice`. Elements of which one is not finite
  /// have no part: their cause is Special.
  std::vector<ErrorPart> parts = {};
  int line = -1; ///< lane of the line; -1: no line is known
};

/// Returns the result in all lanes. It is the card's result, changed as far as the lane's operands
/// differ from the card's, without the parts that the lane leaves out.
TrackedTile combine(std::span<const TrackedTile *const> operands, const ObservedOperation &observed,
                    Lanes &lanes);

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_COMBINE_H
