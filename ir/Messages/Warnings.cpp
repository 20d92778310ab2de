//===- Warnings.cpp - the kinds of warnings -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Messages/Warnings.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace ttjit;

llvm::StringRef ttjit::pythonClassOf(WarningKind kind) {
  switch (kind) {
  case WarningKind::Kernel:
    return "KernelWarning";
  case WarningKind::Release:
    return "ReleaseWarning";
  case WarningKind::UnusedBlock:
    return "UnusedBlockWarning";
  case WarningKind::Transfer:
    return "TransferWarning";
  case WarningKind::Limit:
    return "LimitWarning";
  case WarningKind::Emission:
    return "EmissionWarning";
  case WarningKind::Card:
    return "CardWarning";
  case WarningKind::Engine:
    return "EngineWarning";
  case WarningKind::Numerics:
    return "NumericsWarning";
  }
  return "KernelWarning";
}

static InFlightDiagnostic withKind(InFlightDiagnostic diagnostic, WarningKind kind) {
  if (Diagnostic *underlying = diagnostic.getUnderlyingDiagnostic())
    underlying->getMetadata().push_back(DiagnosticArgument(int64_t(kind)));
  return diagnostic;
}

InFlightDiagnostic ttjit::emitWarning(WarningKind kind, Location location) {
  return withKind(mlir::emitWarning(location), kind);
}

InFlightDiagnostic ttjit::emitWarning(WarningKind kind, Operation *op) {
  return withKind(op->emitWarning(), kind);
}

InFlightDiagnostic ttjit::emitCardRule(bool isError, Operation *op) {
  return isError ? op->emitError() : emitWarning(WarningKind::Card, op);
}

WarningKind ttjit::warningKindOf(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata())
    if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Integer)
      return WarningKind(argument.getAsInteger());
  return WarningKind::Kernel;
}
