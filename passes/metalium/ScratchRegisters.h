//===- ScratchRegisters.h - DST registers for intermediate values ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Some operations on integers become several functions of Metalium, which need registers for
// values between them. A scratch register is one that the DST section does not use. If the half of
// DST that a section has is too small for them, the program asks for dst_full_sync_en: the section
// then has all of DST.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_SCRATCHREGISTERS_H
#define TTJIT_PASSES_METALIUM_SCRATCHREGISTERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::tometalium {

class ThreadConverter;

/// Returns the call of tile_regs_acquire that begins the section of `op`; null if it is in none.
mlir::Operation *sectionOf(mlir::Operation *op);

/// Returns the ancestor of `op`, or `op`, that is in the block of its section.
mlir::Operation *placeInSection(mlir::Operation *op, mlir::Operation *section);

/// Returns whether another operation has written the register that `op` adds its result to, in the
/// section of `op`.
bool isWrittenBefore(mlir::Operation *op);

/// Returns whether a thread needs more scratch registers than a half of DST has.
bool needsFullSync(mlir::func::FuncOp thread);

/// Returns the scratch registers of `op`, as many as it needs. Fails with a diagnostic if the
/// section leaves too few.
mlir::FailureOr<llvm::SmallVector<mlir::Value, 2>> scratchRegisters(mlir::Operation *op,
                                                                    ThreadConverter &converter);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_SCRATCHREGISTERS_H
