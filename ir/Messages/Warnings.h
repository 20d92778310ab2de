//===- Warnings.h - the kinds of warnings ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every warning has a kind. In Python a kind is a class of warnings, so that one filter
// silences all warnings of a kind. A pass that warns must use emitWarning() of this
// file: a warning without a kind has the base class.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MESSAGES_WARNINGS_H
#define TTJIT_IR_MESSAGES_WARNINGS_H

#include "mlir/IR/Diagnostics.h"

namespace ttjit {

enum class WarningKind {
  Kernel,      ///< none of the others
  Release,     ///< the compiler releases a block
  UnusedBlock, ///< nothing reads a block
  Transfer,    ///< a transfer is not waited for, or not received
  Limit,       ///< the kernel exceeds the chip, or a limit that the user gave
  Emission,    ///< the kernel runs here, but its emitted C++ would not
  Card,        ///< the kernel runs here, but tt-lang's compiler refuses it for a card
  Engine,      ///< a thread runs on another engine, or a file of settings is not used
  Numerics,    ///< the bits of a result on the card are not known
};

/// Returns the name of the class in the Python package ttl.
llvm::StringRef pythonClassOf(WarningKind kind);

mlir::InFlightDiagnostic emitWarning(WarningKind kind, mlir::Location location);
mlir::InFlightDiagnostic emitWarning(WarningKind kind, mlir::Operation *op);

/// Reports that tt-lang's compiler refuses the kernel for a card: an error if `isError`, which is
/// set for --strict and --emit, else a warning of kind Card.
mlir::InFlightDiagnostic emitCardRule(bool isError, mlir::Operation *op);

/// Returns the kind that emitWarning() gave to the diagnostic, else Kernel.
WarningKind warningKindOf(mlir::Diagnostic &diagnostic);

} // namespace ttjit

#endif // TTJIT_IR_MESSAGES_WARNINGS_H
