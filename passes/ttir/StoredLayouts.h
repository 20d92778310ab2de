//===- StoredLayouts.h - layouts that a module asks for -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_STOREDLAYOUTS_H
#define TTJIT_PASSES_TTIR_STOREDLAYOUTS_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace ttjit {

/// Returns the type of a tensor with a #ttcore.metal_layout as it is stored: in shards in L1, or
/// interleaved. Null, and in `why` the reason, if the device cannot store it so.
mlir::RankedTensorType layoutType(mlir::RankedTensorType type, std::string &why);

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_STOREDLAYOUTS_H
