//===- RegisterUses.h - the DST registers that a call uses ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_REGISTERUSES_H
#define TTJIT_PASSES_TTKERNEL_REGISTERUSES_H

#include "mlir/IR/Operation.h"

namespace ttjit {

/// The operands of a call that are numbers of DST registers.
struct RegisterUse {
  llvm::SmallVector<mlir::Value, 3> reads;
  mlir::Value written; ///< null if the call writes no register
};

/// Returns the registers that `op` reads and writes in the math half of a section. Packs read
/// theirs later: they are not among these.
RegisterUse registersOf(mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_REGISTERUSES_H
