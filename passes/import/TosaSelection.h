//===- TosaSelection.h - ops of tosa that look elements up ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_TOSASELECTION_H
#define TTJIT_PASSES_IMPORT_TOSASELECTION_H

#include "passes/ttir/TTIRBuilder.h"

namespace ttjit {

// Each returns the result of the op; null after an error.
mlir::Value convertGather(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertScatter(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertTable(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertResize(TTIRBuilder &ops, mlir::Operation *op);
mlir::Value convertRescale(TTIRBuilder &ops, mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_TOSASELECTION_H
