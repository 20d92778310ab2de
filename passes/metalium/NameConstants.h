//===- NameConstants.h - names for sizes ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_NAMECONSTANTS_H
#define TTJIT_PASSES_METALIUM_NAMECONSTANTS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace ttjit::tometalium {

/// Gives names to the sizes of pages and of transfers: constants at the start of the function.
void nameSizes(mlir::emitc::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_NAMECONSTANTS_H
