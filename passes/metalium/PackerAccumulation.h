//===- PackerAccumulation.h - when the packer adds to L1 ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_PACKERACCUMULATION_H
#define TTJIT_PASSES_METALIUM_PACKERACCUMULATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::tometalium {

/// On a pack: the packer may add to what is in L1.
inline constexpr llvm::StringLiteral kAccumulatesAttr = "ttkernel.accumulates";

/// Moves the switches of the packer's accumulation so that few of them run, and marks the packs
/// that add. Each pack finds the accumulation that it had before.
void moveAccumulationSwitches(mlir::func::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_PACKERACCUMULATION_H
