//===- ParseModule.h - parses the text of a user's module -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_PARSEMODULE_H
#define TTJIT_DIAGNOSTICS_PARSEMODULE_H

#include "diagnostics/CompileDiagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <string_view>
#include <vector>

namespace ttjit::diagnostics {

/// The module is null if a diagnostic is an error.
struct ParsedModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<CompileDiagnostic> diagnostics;
  bool crashed = false; ///< the parser crashed: the context must not be used again
};

/// Parses MLIR's text or bytecode. `path` is the file's name in messages.
ParsedModule parseModule(std::string_view text, const std::string &path,
                         mlir::MLIRContext &context);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_PARSEMODULE_H
