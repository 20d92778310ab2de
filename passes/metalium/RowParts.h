//===- RowParts.h - copies of parts of rows on a card ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The NoC moves data between addresses that are equal modulo its alignment. A thread that copies
// other parts of rows has a circular buffer of its own, which they go through.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_ROWPARTS_H
#define TTJIT_PASSES_METALIUM_ROWPARTS_H

#include "hw/facts/Arch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>

namespace ttjit {

/// Returns the size of the buffer that the thread's parts of rows go through; 0 if it needs none.
int64_t bytesOfRowBuffer(mlir::func::FuncOp thread, const hw::ArchDesc &arch);

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_ROWPARTS_H
