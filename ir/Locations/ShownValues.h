//===- ShownValues.h - what locations tell a debugger ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In a debugged kernel the frontend gives numbers to values. To each statement it gives a text with
// the user's variables that are in scope there (frontend/walk/context/ShownScope.h). Numbers and
// texts are metadata of a FusedLoc.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LOCATIONS_SHOWNVALUES_H
#define TTJIT_IR_LOCATIONS_SHOWNVALUES_H

#include "mlir/IR/Location.h"

#include <optional>

namespace ttjit {

/// Returns the number of a value; nothing if it has none.
std::optional<int64_t> getValueNumber(mlir::Location loc);

/// Returns the variables of the innermost statement of an op; empty if the op has none.
llvm::StringRef getShownScope(mlir::Location loc);

} // namespace ttjit

#endif // TTJIT_IR_LOCATIONS_SHOWNVALUES_H
