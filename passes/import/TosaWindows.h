//===- TosaWindows.h - convolutions and pools of tosa ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_TOSAWINDOWS_H
#define TTJIT_PASSES_IMPORT_TOSAWINDOWS_H

#include "passes/ttir/TTIRBuilder.h"

namespace ttjit {

/// Returns a value minus its zero point, which the operand `index` has, in the type that the op
/// adds up in. Null after an error.
mlir::Value withoutZeroPoint(TTIRBuilder &ops, mlir::Operation *op, mlir::Value value,
                             unsigned index);

// Each returns the result of the op; null after an error.
/// conv2d and conv3d
mlir::Value convertConvolution(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertTransposeConv2D(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertDepthwiseConv2D(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertMaxPool2D(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertAvgPool2D(TTIRBuilder &ops, mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_TOSAWINDOWS_H
