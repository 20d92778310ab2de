//===- TTKernelToEmitC.h - pass ttkernel-to-emitc -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_TTKERNELTOEMITC_H
#define TTJIT_PASSES_METALIUM_TTKERNELTOEMITC_H

#include "hw/facts/MetaliumVersion.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ttjit {

/// The pass leaves thread functions with this attribute as they are.
inline constexpr llvm::StringLiteral kNotEmittedAttr = "ttl.not_emitted";

namespace tometalium {
/// Turns the thread functions of all programs into emitc.func. Their calls of the device API have
/// either form of ir/TTKernel/DeviceCalls.h.
mlir::LogicalResult convertThreads(mlir::ModuleOp module, const hw::MetaliumVersion &version,
                                   bool isForHost);
} // namespace tometalium

/// Creates the pass that turns thread functions of stage ttkernel into emitc.func. `isForHost`: see
/// EmitOptions.
std::unique_ptr<mlir::Pass> createTTKernelToEmitCPass(const hw::MetaliumVersion &version = {},
                                                      bool isForHost = false);
/// Registers the pass by name.
void registerTTKernelToEmitCPass();

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_TTKERNELTOEMITC_H
