//===- Simplify.h - removes what a reader would not write -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_SIMPLIFY_H
#define TTJIT_PASSES_METALIUM_SIMPLIFY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::tometalium {

/// Folds arithmetic on constants, loops of one iteration and branches on constants; erases calls
/// whose effect is there already: zeros in registers that a product starts from anyway, repeated
/// barriers. Moves the switches of the packer's accumulation (PackerAccumulation).
mlir::LogicalResult simplify(mlir::func::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_SIMPLIFY_H
