//===- Compiler.h - converts an operation call to ttl IR ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_COMPILER_H
#define TTJIT_FRONTEND_COMPILER_H

#include "frontend/launcher/Launcher.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// The result of compiling one call of an operation to ttl IR.
struct KernelModule {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null if there was an error
  std::vector<bool> written;                ///< for each tensor, whether a transfer writes to it
  hw::HostFunctions hostFunctions;          ///< the host functions that its threads call
  std::vector<diagnostics::CompileDiagnostic> diagnostics;
  bool crashed = false; ///< the walk crashed: leak the context, and make a new one
};

/// Builds the ttl module of a call. `call` is a ttl._capture.OperationCall whose body has run.
/// `arch` is the chip's name as the option --arch spells it. The caller must hold the GIL.
KernelModule buildKernel(mlir::MLIRContext &context, pybind11::handle call,
                         const std::string &arch);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_COMPILER_H
