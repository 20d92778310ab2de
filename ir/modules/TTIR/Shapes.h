//===- Shapes.h - the shapes of the results of ttir's ops -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_TTIR_SHAPES_H
#define TTJIT_IR_MODULES_TTIR_SHAPES_H

#include "ir/modules/TTIR/ShapeRules.h"

namespace mlir::tt::ttir {

/// Returns the shape of the results of an op whose attributes have the right kinds. Reports an
/// error if the op has none. For empty and to_layout it is that of the written result type.
FailureOr<Shape> resultShape(TTIROp op);

/// Returns the type of a tensor without its layout: that of its elements as a program sees them.
RankedTensorType logicalType(RankedTensorType type);

} // namespace mlir::tt::ttir

#endif // TTJIT_IR_MODULES_TTIR_SHAPES_H
