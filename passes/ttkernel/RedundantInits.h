//===- RedundantInits.h - erases inits of what is in force ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_REDUNDANTINITS_H
#define TTJIT_PASSES_TTKERNEL_REDUNDANTINITS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Erases every init of a setup that is in force on all paths that lead to the init. A dense
/// forward analysis finds the setups in force.
void eraseRedundantInits(mlir::func::FuncOp function);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_REDUNDANTINITS_H
