//===- MovingShapes.h - shapes of the results of ops that move elements C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_TTIR_MOVINGSHAPES_H
#define TTJIT_IR_MODULES_TTIR_MOVINGSHAPES_H

#include "ir/modules/TTIR/ShapeRules.h"

namespace mlir::tt::ttir {

/// One pattern of ttir.rearrange, such as "b h s d -> b s (h d)".
struct Rearrangement {
  SmallVector<int64_t> permutation; ///< of the dimensions of the input
  SmallVector<SmallVector<int64_t>>
      groups; ///< for each dimension of the result, those of the input that it joins
};

/// Returns the parsed pattern; nothing if it is none of this form.
std::optional<Rearrangement> parsePattern(StringRef pattern);

/// The begin, the step and the extent of a slice of a dimension, all within the dimension.
struct SliceRange {
  int64_t begin, step, extent;
};

/// Returns what slice_static takes of a dimension; nothing if it is not within the dimension.
std::optional<SliceRange> sliceRange(int64_t extent, int64_t begin, int64_t end, int64_t step);

// The shape of the result of each kind of op; an error that is reported if there is none.
FailureOr<Shape> permuteShape(TTIROp op);
FailureOr<Shape> transposeShape(TTIROp op);
FailureOr<Shape> reshapeShape(TTIROp op);
FailureOr<Shape> squeezeShape(TTIROp op);
FailureOr<Shape> unsqueezeShape(TTIROp op);
FailureOr<Shape> sliceShape(TTIROp op);
FailureOr<Shape> indexShape(TTIROp op);
FailureOr<Shape> indexSelectShape(TTIROp op);
FailureOr<Shape> concatShape(TTIROp op);
FailureOr<Shape> padShape(TTIROp op);
FailureOr<Shape> reverseShape(TTIROp op);
FailureOr<Shape> rearrangeShape(TTIROp op);
FailureOr<Shape> headsShape(TTIROp op);

} // namespace mlir::tt::ttir

#endif // TTJIT_IR_MODULES_TTIR_MOVINGSHAPES_H
