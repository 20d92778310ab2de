//===- MixedFormats.h - float32 beside other types in an expression -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_MIXEDFORMATS_H
#define TTJIT_PASSES_TTL_MIXEDFORMATS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Refuses stores of the thread whose blocks have elements of float32 and of another type of
/// floats, as tt-lang's compiler does for a card, unless typecast() or a matrix product reads each
/// of the blocks.
mlir::LogicalResult checkFormats(mlir::Operation *thread);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_MIXEDFORMATS_H
