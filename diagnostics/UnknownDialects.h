//===- UnknownDialects.h - ops of dialects that are not read --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR's message about an op of a dialect that is not registered lists all that are, and speaks to
// the author of a tool. This one says what the user of a module can do.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_UNKNOWNDIALECTS_H
#define TTJIT_DIAGNOSTICS_UNKNOWNDIALECTS_H

#include "diagnostics/CompileDiagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace ttjit::diagnostics {

/// Replaces MLIR's message about an op of an unknown dialect. `text` is the module's.
void explainUnknownDialect(CompileDiagnostic &diagnostic, llvm::StringRef text);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_UNKNOWNDIALECTS_H
