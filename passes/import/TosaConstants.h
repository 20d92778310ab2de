//===- TosaConstants.h - operands of tosa that must be constants ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_TOSACONSTANTS_H
#define TTJIT_PASSES_IMPORT_TOSACONSTANTS_H

#include "passes/ttir/TTIRBuilder.h"

namespace ttjit {

/// Returns the numbers of an operand of type !tosa.shape. Tosa's verifier requires a constant, and
/// the only one that is not an error before is a tosa.const_shape.
llvm::SmallVector<int64_t> shapeOperand(mlir::Operation *op, unsigned index);

/// Returns the number of an operand of one element, whose tosa.const has been replaced. Reports one
/// that is no constant, and returns nothing.
std::optional<double> numberOperand(mlir::Operation *op, unsigned index);

/// Returns the elements of a tosa.const as a ttir.constant; null after an error.
mlir::Value convertConst(TTIRBuilder &ops, mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_TOSACONSTANTS_H
