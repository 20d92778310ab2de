//===- MatmulBlocks.h - products of blocks with matmul_block --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_MATMULBLOCKS_H
#define TTJIT_PASSES_METALIUM_MATMULBLOCKS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace ttjit::tometalium {

/// Replaces loops over matmul_tiles by one loop over k with matmul_block, which computes a block of
/// registers in each step. Each element is summed over k ascending, as before. Needs the loops
/// that rollLoops() makes.
void useMatmulBlocks(mlir::emitc::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_MATMULBLOCKS_H
