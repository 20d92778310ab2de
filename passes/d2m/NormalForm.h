//===- NormalForm.h - spellings of d2m programs as one --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_NORMALFORM_H
#define TTJIT_PASSES_D2M_NORMALFORM_H

#include "ir/modules/D2M/D2M.h"

namespace ttjit {

/// Copies the functions that are threads of a d2m.generic into regions of it, and replaces
/// d2m.get_arg by the operands. Returns the op, which may be a new one.
mlir::FailureOr<mlir::tt::d2m::GenericOp> toNormalForm(mlir::tt::d2m::GenericOp generic);

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_NORMALFORM_H
