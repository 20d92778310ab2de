//===- IntegerReductions.h - reductions of integer tiles ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The matrix engine reduces floats only. The vector unit reduces a tile of integers in DST:
// sfpu_reduce writes the first row or column, and leaves the rest of the tile undefined, where a
// reduction has zeros. So the tiles are combined element by element, the sum or maximum is reduced,
// and the rest is multiplied by zero.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_INTEGERREDUCTIONS_H
#define TTJIT_PASSES_METALIUM_INTEGERREDUCTIONS_H

#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include <optional>

namespace ttjit::tometalium {

class ThreadConverter;

/// Rules of reduce_init and reduce_tile. They return nothing for a reduction of floats.
std::optional<mlir::LogicalResult>
emitIntegerReduction(mlir::tt::ttkernel::CallOf<mlir::tt::ttkernel::ReduceInitOp> op,
                     ThreadConverter &converter);
std::optional<mlir::LogicalResult>
emitIntegerReduction(mlir::tt::ttkernel::CallOf<mlir::tt::ttkernel::ReduceTileOp> op,
                     ThreadConverter &converter);
/// Returns whether `uninit` ends a reduction of integers.
bool endsIntegerReduction(mlir::Operation *uninit);

/// Replaces what emitIntegerReduction has emitted for tiles by calls of Metalium's functions.
void expandIntegerReductions(mlir::emitc::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_INTEGERREDUCTIONS_H
