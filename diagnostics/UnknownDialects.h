//===- UnknownDialects.h - ops of dialects that are not read --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR's message about an op of an unknown dialect lists all registered dialects, for the author of
// a tool. Our message tells the user how to convert the module, or which dialects can run.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_UNKNOWNDIALECTS_H
#define TTJIT_DIAGNOSTICS_UNKNOWNDIALECTS_H

#include "diagnostics/CompileDiagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace ttjit::diagnostics {

/// Replaces MLIR's message about an op of an unknown dialect. `text` is the text of the module.
void explainUnknownDialect(CompileDiagnostic &diagnostic, llvm::StringRef text);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_UNKNOWNDIALECTS_H
