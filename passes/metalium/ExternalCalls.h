//===- ExternalCalls.h - C++ functions of the user in emitted code --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_EXTERNALCALLS_H
#define TTJIT_PASSES_METALIUM_EXTERNALCALLS_H

#include "passes/metalium/DeviceProgram.h"
#include "passes/metalium/EmitRules.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include "llvm/Support/raw_ostream.h"

namespace ttjit::tometalium {

/// Adds the rule of ttcpp.call: a call, on the host with the checks of ttjit/external.h around it.
void addExternalCallRules(EmitRules &rules);

/// Fails if a C++ function may count pages of a buffer that has two ids on the card: it would count
/// those of one id.
mlir::LogicalResult checkBufferIds(mlir::func::FuncOp thread, const DeviceProgram &program);

/// Prints the macros for the headers of the C++ functions that the thread calls.
void printUserDefines(llvm::raw_ostream &stream, mlir::emitc::FuncOp function);

/// Prints the #include lines of the headers whose functions the thread calls, and the types that
/// these functions get.
void printUserHeaders(llvm::raw_ostream &stream, mlir::emitc::FuncOp function);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_EXTERNALCALLS_H
