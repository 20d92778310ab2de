//===- WithReleases.h - releases at the end of with statements ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_WITHRELEASES_H
#define TTJIT_PASSES_TTL_WITHRELEASES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Makes each path of the thread release a block of a with statement once, if the program
/// releases it inside the statement on some paths.
void completeWithReleases(mlir::Operation *thread);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_WITHRELEASES_H
