//===- SplitUnifiedThreads.h - one body becomes several threads -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_SPLITUNIFIEDTHREADS_H
#define TTJIT_PASSES_TTL_SPLITUNIFIEDTHREADS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces each ttl.unified_thread of the module by the threads that do its work, and
/// returns the number of these threads. The pass ttl-split-unified-threads calls it; later
/// passes and the interpreter do not know unified threads.
mlir::FailureOr<unsigned> splitUnifiedThreads(mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_SPLITUNIFIEDTHREADS_H
