//===- IntegerProducts.h - matrix products of integer tiles ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The matrix engine multiplies floats only, and not exactly. The vector unit multiplies element by
// element: for each k it gets a tile whose columns are column k of the left tile, and one whose
// rows are row k of the right tile, and adds their product to the result.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_INTEGERPRODUCTS_H
#define TTJIT_PASSES_METALIUM_INTEGERPRODUCTS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace ttjit::tometalium {

class EmitRules;

/// Adds the rules of mm_init, mm_init_short and matmul_tiles.
void addProductRules(EmitRules &rules);

/// Replaces what the rule of matmul_tiles has emitted for integers by calls of Metalium's
/// functions.
void expandIntegerProducts(mlir::emitc::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_INTEGERPRODUCTS_H
