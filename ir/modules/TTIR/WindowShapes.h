//===- WindowShapes.h - shapes of convolutions and pools ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_TTIR_WINDOWSHAPES_H
#define TTJIT_IR_MODULES_TTIR_WINDOWSHAPES_H

#include "ir/modules/TTIR/ShapeRules.h"

namespace mlir::tt::ttir {

/// Windows that move over an image. The dimensions of the image are batch, then those of the
/// windows, such as rows and columns, then channels.
struct Windows {
  /// One for each dimension of the windows.
  SmallVector<int64_t> kernel, stride, dilation;
  /// Two numbers for each dimension: before and behind the image.
  SmallVector<int64_t> padding;
  /// How many windows there are along each dimension.
  SmallVector<int64_t> counts;
};

/// Returns how many windows there are along a dimension of an image that has this extent. With
/// `roundsUp`, the last window may reach beyond the padding behind the image, but does not begin in
/// it. Reports a kernel that is larger than the padded image.
FailureOr<int64_t> countWindows(Operation *op, const Windows &windows, unsigned dim, int64_t extent,
                                bool roundsUp = false);

/// Reports groups that do not divide the channels.
LogicalResult checkGroups(Operation *op, int64_t groups, int64_t inputs, int64_t outputs);

/// Reports weights of another shape.
LogicalResult checkWeights(Operation *op, ArrayRef<int64_t> expected, ArrayRef<int64_t> found);

/// A convolution or a pool of ttir.
struct WindowOp {
  /// Which dimensions of the image are the batch, the rows, the columns and the channels.
  SmallVector<int64_t> order = {0, 1, 2, 3};
  Shape image; ///< the extents in that order
  /// The padding is that of the attributes. Of a transposed convolution it is what is cut off the
  /// result, thus negative.
  Windows windows;
  int64_t groups = 1, outputs = 0;

  /// The shape of the result, in the order of the op.
  Shape resultShape() const;
};

/// Reads an op of the kinds Convolution, TransposedConvolution and Pool. Reports operands and
/// attributes that do not fit.
FailureOr<WindowOp> readWindowOp(TTIROp op);

// The shape of the result of each kind of op; an error that is reported if there is none.
FailureOr<Shape> windowShape(TTIROp op);
FailureOr<Shape> globalPoolShape(TTIROp op);

} // namespace mlir::tt::ttir

#endif // TTJIT_IR_MODULES_TTIR_WINDOWSHAPES_H
