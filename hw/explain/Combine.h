//===- Combine.h - one operation in all lanes -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_COMBINE_H
#define TTJIT_HW_EXPLAIN_COMBINE_H

#include "hw/explain/TrackedTile.h"

#include <functional>
#include <span>

namespace ttjit::hw::explain {

/// Computes an operation in fp64 from the operands' values.
using ExactOperation = std::function<Reals(std::span<const Reals> operands)>;

/// The part of a result's error that one cause added to each element.
struct ErrorPart {
  Cause cause;
  int row; ///< of Cause::Vector
  Reals error;
};

/// An operation that the card has computed, with its exact function and its errors.
struct ObservedOperation {
  ExactOperation exact;
  Reals onDevice; ///< its exact result for the card's operands
  const float *result = nullptr;
  /// The differences between the card's result and `onDevice`, by cause. An element of which one of
  /// the two is not finite has no part: its cause is Special.
  std::vector<ErrorPart> parts = {};
  int line = -1; ///< lane of the line; -1: no line is known
};

/// Returns the result in all lanes: the card's result, changed by the effect of the lane's
/// operands, which may differ from the card's, and without the parts that the lane leaves out.
TrackedTile combine(std::span<const TrackedTile *const> operands, const ObservedOperation &observed,
                    Lanes &lanes);

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_COMBINE_H
