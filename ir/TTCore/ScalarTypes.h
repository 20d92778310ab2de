//===- ScalarTypes.h - types of the scalars in tiles ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_SCALARTYPES_H
#define TTJIT_IR_TTCORE_SCALARTYPES_H

#include "ir/TTCore/TTCore.h"

namespace mlir::tt::ttcore {

/// Returns the type of the scalars that tiles of that type store, such as f32 or i32; null if their
/// format has a common exponent.
Type getScalarType(DataType type, MLIRContext *context);

} // namespace mlir::tt::ttcore

#endif // TTJIT_IR_TTCORE_SCALARTYPES_H
