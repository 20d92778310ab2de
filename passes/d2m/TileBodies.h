//===- TileBodies.h - bodies of linalg.generic as block expressions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_TILEBODIES_H
#define TTJIT_PASSES_D2M_TILEBODIES_H

#include "ir/modules/D2M/D2M.h"
#include "ir/modules/Linalg/Linalg.h"

#include "mlir/IR/IRMapping.h"

namespace ttjit {

/// Returns whether the body reads its output: it continues a partial result.
bool readsOutput(mlir::tt::linalg::GenericOp op);

/// Returns whether partial results of the op begin at minus infinity.
bool beginsAtMinusInfinity(mlir::Operation *op);

/// What a body reads.
struct BodyInputs {
  llvm::SmallVector<mlir::Value>
      blocks;                     ///< of each input: a block or block expression, or a number
  mlir::Value partial;            ///< the output so far; null: nothing yet
  const mlir::IRMapping *numbers; ///< values from outside of the body
};

/// Returns the block expression of the op's output. Reports what is not supported.
mlir::FailureOr<mlir::Value> lowerTileBody(mlir::tt::linalg::GenericOp op, const BodyInputs &inputs,
                                           mlir::OpBuilder &builder);

/// Returns the block expression of a product of blocks. The output is continued if it is not null.
mlir::FailureOr<mlir::Value> lowerMatmulBlock(mlir::tt::d2m::TileMatmulBlockOp op, mlir::Value a,
                                              mlir::Value b, mlir::Value partial,
                                              mlir::OpBuilder &builder);

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_TILEBODIES_H
