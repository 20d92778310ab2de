//===- DSTReport.h - the DST assignment as text ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTREPORT_H
#define TTJIT_PASSES_DST_DSTREPORT_H

#include "passes/common/PassDialects.h"

#include <string>

namespace ttjit {

/// Draws the contents of the DST registers for each ttl.compute of a module after
/// ttl-assign-dst: one line per operation, one column per register.
std::string describeDST(mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTREPORT_H
