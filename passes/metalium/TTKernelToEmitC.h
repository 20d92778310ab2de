//===- TTKernelToEmitC.h - pass ttkernel-to-emitc -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_TTKERNELTOEMITC_H
#define TTJIT_PASSES_METALIUM_TTKERNELTOEMITC_H

#include "passes/metalium/MetaliumVersion.h"

#include "mlir/Pass/Pass.h"

namespace ttjit {

/// Thread functions of stage ttkernel become emitc.func.
std::unique_ptr<mlir::Pass> createTTKernelToEmitCPass(const MetaliumVersion &version = {});
/// Makes the pass known by name.
void registerTTKernelToEmitCPass();

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_TTKERNELTOEMITC_H
