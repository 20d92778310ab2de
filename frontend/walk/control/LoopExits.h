//===- LoopExits.h - run-time loops with `break` or `return` --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTROL_LOOPEXITS_H
#define TTJIT_FRONTEND_WALK_CONTROL_LOOPEXITS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ttjit::frontend {

/// Converts an scf.for to a scf.while that also ends when its exit flag is false. The scf.for's
/// body must have no terminator. The results are the counter, the results of the scf.for, and the
/// results of the exit.
mlir::scf::WhileOp makeWhile(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                             mlir::ValueRange yields, mlir::ValueRange exitInits,
                             mlir::ValueRange exitYields);

/// Adds the exit to an scf.while whose body has no terminator. When the exit flag is false, the
/// loop ends without computing its condition.
mlir::scf::WhileOp addExit(mlir::OpBuilder &builder, mlir::scf::WhileOp loop,
                           mlir::ValueRange yields, mlir::ValueRange exitInits,
                           mlir::ValueRange exitYields);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTROL_LOOPEXITS_H
