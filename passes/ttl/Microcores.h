//===- Microcores.h - threads that name their processors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_MICROCORES_H
#define TTJIT_PASSES_TTL_MICROCORES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces the threads of each ttl.tile_proc of the module by compute and data movement threads,
/// and returns the number of these threads. The pass ttl-microcores-to-threads calls it; later
/// passes and the interpreter do not know ttl.tile_proc.
unsigned microcoresToThreads(mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_MICROCORES_H
