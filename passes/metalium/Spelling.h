//===- Spelling.h - calls as a generation of the API spells them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_SPELLING_H
#define TTJIT_PASSES_METALIUM_SPELLING_H

#include "hw/facts/MetaliumVersion.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace ttjit::tometalium {

/// Rewrites the calls of a function from ttkernel's names and argument orders to those of the
/// generation. `fp32Dest`: DST holds 32-bit values.
void spellCalls(mlir::emitc::FuncOp function, const hw::MetaliumVersion &version, bool fp32Dest);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_SPELLING_H
