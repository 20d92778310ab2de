//===- TTLToEmitC.h - the direct path from ttl to EmitC -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_TTLTOEMITC_H
#define TTJIT_PASSES_METALIUM_TTLTOEMITC_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace ttjit {

/// Returns whether thread functions of the module are of a stage before `ttkernel`: they have
/// arguments, or ops that this stage lowers.
bool isBeforeTTKernel(mlir::ModuleOp module);

/// Adds the passes that turn thread functions of stage `loops` into functions with calls of EmitC,
/// loops and arithmetic: the first half of ttl-to-emitc.
void addDirectLowering(mlir::OpPassManager &manager);

/// Registers the pass ttl-to-emitc by name.
void registerTTLToEmitCPass();

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_TTLTOEMITC_H
