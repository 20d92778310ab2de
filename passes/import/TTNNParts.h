//===- TTNNParts.h - operands, results and attributes of ttnn -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_TTNNPARTS_H
#define TTJIT_PASSES_IMPORT_TTNNPARTS_H

#include "passes/import/ImportFunctions.h"
#include "passes/ttir/TTIRBuilder.h"

namespace ttjit {

/// Returns the operands of an op of ttnn that are tensors.
Values tensorOperands(mlir::Operation *op);

/// Returns the type of a result, without the layout that ttnn gives it in its encoding.
mlir::RankedTensorType logicalResult(mlir::Operation *op, unsigned index = 0);

/// Returns the attributes of an op; those of unregistered ops may be in <{ }> or in { }.
llvm::SmallVector<mlir::NamedAttribute> allAttributes(mlir::Operation *op);
/// Returns the attribute of that name; null if the op has none.
mlir::Attribute attributeOf(mlir::Operation *op, llvm::StringRef name);

/// Returns the row of an op of ttir; null if there is none.
const mlir::tt::ttir::OpFacts *factsOf(llvm::StringRef name);

/// Applies an activation to a value, such as "relu"; an empty name leaves the value as it is. Null
/// after an error.
mlir::Value activated(TTIRBuilder &ops, mlir::Operation *op, mlir::Value value,
                      llvm::StringRef name);

/// Replaces a ttnn.conv2d.
mlir::FailureOr<Values> convertConv2d(TTIRBuilder &ops, mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_TTNNPARTS_H
