//===- MergeCalls.h - merges equal expressions of the direct path ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_MERGECALLS_H
#define TTJIT_PASSES_METALIUM_MERGECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::tometalium {

/// Replaces ops and calls without effects by equal ones that precede them, and erases unused ones.
/// MLIR's cse does this for ops of ttkernel; of emitc.call_opaque it cannot know that it has no
/// effects.
void mergeCalls(mlir::func::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_MERGECALLS_H
