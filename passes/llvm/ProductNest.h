//===- ProductNest.h - loops of sections that multiply tiles --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A nest is a straight-line DST section that only multiplies tiles, or a loop of such
// sections, loops and index arithmetic. In a section, each packed register is a chain of
// products: it starts from a loaded tile or is unwritten, and one matmul_tiles, alone or in a
// loop of its own, adds to it. All loops have constant bounds, and the indices of a product
// grow by the same step in each iteration.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_PRODUCTNEST_H
#define TTJIT_PASSES_LLVM_PRODUCTNEST_H

#include "hw/facts/TileProducts.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace ttjit::tollvm {

/// The calls that make one packed tile.
struct ProductCalls {
  mlir::tt::ttkernel::CopyTileOp start = {}; ///< null if the register is unwritten before
  mlir::tt::ttkernel::MatmulTilesOp product = {};
  mlir::scf::ForOp loop = {}; ///< the loop around the product; null if there is none
  int64_t count = 1;          ///< number of its iterations
  mlir::tt::ttkernel::PackTileOp pack = {};
};

struct ProductSection {
  mlir::Operation *release; ///< its last op
  llvm::SmallVector<ProductCalls> chains;
};

struct ProductNest {
  llvm::SmallVector<mlir::Operation *> ops; ///< the loop, or the ops of the section
  /// The sections by their first op.
  llvm::DenseMap<mlir::Operation *, ProductSection> sections;
  hw::ProductFacts facts = {};
};

/// Returns the largest nest that begins with `op`, a loop or tile_regs_acquire. Returns nothing
/// if there is none, or if it is too small or too large to be worth it.
std::optional<ProductNest> buildProductNest(mlir::Operation *op);

/// Returns whether an op computes an index and nothing else.
bool computesIndex(mlir::Operation *op);

/// Returns the number of a buffer; nothing if it is not known.
std::optional<int32_t> bufferNumber(mlir::Value cb);

} // namespace ttjit::tollvm

#endif // TTJIT_PASSES_LLVM_PRODUCTNEST_H
