//===- LoneThreads.h - threads that no d2m.generic runs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_LONETHREADS_H
#define TTJIT_PASSES_D2M_LONETHREADS_H

#include "ir/modules/D2M/D2M.h"

#include "mlir/IR/BuiltinOps.h"

namespace ttjit {

/// Makes programs on one core of the functions that are threads and that no d2m.generic runs, if
/// the module has nothing else to run. Reports what only a d2m.generic can give a thread.
mlir::LogicalResult wrapLoneThreads(mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_LONETHREADS_H
