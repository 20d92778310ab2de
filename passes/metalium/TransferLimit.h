//===- TransferLimit.h - bounds the transfers of one id -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_TRANSFERLIMIT_H
#define TTJIT_PASSES_METALIUM_TRANSFERLIMIT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::tometalium {

/// Inserts barriers so that at most 255 transfers with one transfer id are outstanding, which is
/// the card's limit. `burstBytes`: size of the NoC's largest packet; a larger transfer is several.
void limitTransfers(mlir::func::FuncOp function, int64_t burstBytes);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_TRANSFERLIMIT_H
