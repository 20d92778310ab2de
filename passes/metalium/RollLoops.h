//===- RollLoops.h - repeated statements become loops ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_ROLLLOOPS_H
#define TTJIT_PASSES_METALIUM_ROLLLOOPS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace ttjit::tometalium {

/// Writes statements that follow each other and differ only in numbers as a loop, if that is
/// shorter: `copy_tile(x, 0, 0); ... copy_tile(x, 7, 7);` becomes a loop over 8 tiles.
void rollLoops(mlir::emitc::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_ROLLLOOPS_H
