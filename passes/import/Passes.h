//===- Passes.h - passes from other tensor dialects to ttir ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_PASSES_H
#define TTJIT_PASSES_IMPORT_PASSES_H

#include "passes/common/PassDialects.h"

#include "ir/modules/TTIR/TTIR.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/import/Passes.h.inc"

/// The names of the ops that a pass replaces, without the name of the dialect.
llvm::SmallVector<llvm::StringRef> importedTosaOps();
llvm::SmallVector<llvm::StringRef> importedTTNNOps();

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_PASSES_H
