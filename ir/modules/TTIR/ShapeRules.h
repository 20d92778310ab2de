//===- ShapeRules.h - what rules for shapes of results share --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_TTIR_SHAPERULES_H
#define TTJIT_IR_MODULES_TTIR_SHAPERULES_H

#include "ir/modules/TTIR/TTIR.h"

namespace mlir::tt::ttir {

using Shape = SmallVector<int64_t>;

/// Returns the shape of the results of an op, or reports an error.
using ShapeRule = FailureOr<Shape> (*)(TTIROp);

/// Returns a shape as in a type: "2x33x128"; "()" for a scalar.
std::string shapeText(ArrayRef<int64_t> shape);

Shape inputShape(TTIROp op, unsigned index = 0);

/// Returns a dimension that may be counted from the end, counted from the front.
inline int64_t fromFront(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }
/// Returns a dimension counted from the front. Reports one that a tensor of that rank does not
/// have; `what` says in the message where the dimension is from.
FailureOr<int64_t> dimension(TTIROp op, StringRef what, int64_t dim, int64_t rank);
/// Returns the dimension in an attribute, from the front; the last one if the attribute is absent.
FailureOr<int64_t> dimension(TTIROp op, StringRef name, int64_t rank);

/// Returns the shape of operands that NumPy's rules broadcast; nothing if they do not fit.
std::optional<Shape> broadcastShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b);

} // namespace mlir::tt::ttir

#endif // TTJIT_IR_MODULES_TTIR_SHAPERULES_H
