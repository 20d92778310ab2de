//===- Compiler.h - from a run of an operation's body to ttl IR -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_COMPILER_H
#define TTJIT_FRONTEND_COMPILER_H

#include "frontend/launcher/Launcher.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// What the frontend makes of one call of an operation.
struct KernelModule {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null after an error
  std::vector<bool> written;                ///< by tensor: whether a transfer writes it
  hw::HostFunctions hostFunctions;          ///< those that its threads call
  std::vector<CompileDiagnostic> diagnostics;
};

/// `call` is a ttl._capture.OperationCall whose body has run. `arch` is the
/// chip's name, as --arch spells it. Needs the GIL.
KernelModule buildKernel(mlir::MLIRContext &context, pybind11::handle call,
                         const std::string &arch);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_COMPILER_H
