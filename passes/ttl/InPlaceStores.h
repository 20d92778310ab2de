//===- InPlaceStores.h - stores over the memory of an input ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_INPLACESTORES_H
#define TTJIT_PASSES_TTL_INPLACESTORES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Two buffers may be the same part of a tensor: one is the input, the other the output. Reports
/// a store into a block of the output that reads the input otherwise than element by element,
/// because it would read elements that it has overwritten. Also reports a later store that reads
/// the overwritten block.
mlir::LogicalResult verifyInPlaceStores(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_INPLACESTORES_H
