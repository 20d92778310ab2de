//===- ProductBlocks.h - which products matmul_block computes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The emitted C++ computes the products of a section with matmul_block, if they fill a rectangle of
// registers and if all products of the two buffers have the same one (passes/metalium). The time
// model must know it, because matmul_block is faster than matmul_tiles.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_PRODUCTBLOCKS_H
#define TTJIT_PASSES_TTKERNEL_PRODUCTBLOCKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace ttjit {

/// The products of a thread of stage ttkernel.
class ProductBlocks {
public:
  ProductBlocks() = default;
  explicit ProductBlocks(mlir::func::FuncOp thread);

  /// Returns how a product is told: "matmul_block:2x4" with the rows and columns of registers.
  /// Empty: `op` is no product, or it stays matmul_tiles.
  std::string wordOf(mlir::Operation *op) const { return words.lookup(op); }

private:
  llvm::DenseMap<mlir::Operation *, std::string> words;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_PRODUCTBLOCKS_H
