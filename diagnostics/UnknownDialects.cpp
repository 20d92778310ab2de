//===- UnknownDialects.cpp - ops of dialects that are not read ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/UnknownDialects.h"

#include "llvm/ADT/STLExtras.h"

using namespace ttjit;
using namespace ttjit::diagnostics;
using llvm::StringRef;

// Returns the line of a position up to its column.
static StringRef lineBefore(StringRef text, const hw::SourceLocation &place) {
  for (int line = 1; line < place.line; ++line)
    text = text.split('\n').second;
  return text.split('\n').first.take_front(place.column > 0 ? place.column - 1 : 0);
}

// Returns the name of the op that MLIR's message names, or that `text` has before its position.
static StringRef opOf(const CompileDiagnostic &diagnostic, StringRef text) {
  StringRef message = diagnostic.message;
  if (message.consume_front("Dialect `"))
    return message.split("custom op '").second.split('\'').first;
  if (!message.starts_with("operation being parsed with an unregistered dialect"))
    return {};
  StringRef before = lineBefore(text, diagnostic.location).rtrim();
  return before.consume_back("\"") ? before.rsplit('"').second : StringRef();
}

// Returns what the user can do with a module of this dialect.
static std::string adviceFor(StringRef dialect) {
  constexpr StringRef kHLO[] = {"stablehlo", "vhlo", "chlo", "mhlo", "sdy"};
  constexpr StringRef kTorch[] = {"torch", "torch_c"};
  if (llvm::is_contained(kHLO, dialect))
    return "convert it with tt-mlir, 'ttmlir-opt --stablehlo-to-ttir-pipeline FILE', and run the "
           "module of ttir that this prints";
  if (llvm::is_contained(kTorch, dialect))
    return "convert it with torch-mlir, 'torch-mlir-opt "
           "--torch-backend-to-tosa-backend-pipeline FILE', and run the module of tosa that this "
           "prints";
  if (dialect == "tfl")
    return "convert it with TensorFlow, 'tf-opt --tfl-to-tosa-pipeline FILE', and run the module "
           "of tosa that this prints";
  return "a module that runs has ops of ttir, ttnn, tosa, d2m or ttl, with those of func, arith, "
         "scf, affine, memref, tensor and linalg: convert it to one of these";
}

void diagnostics::explainUnknownDialect(CompileDiagnostic &diagnostic, StringRef text) {
  StringRef op = opOf(diagnostic, text);
  auto [dialect, name] = op.split('.');
  if (dialect.empty() || name.empty())
    return;
  diagnostic.message =
      ("'" + op + "' is an op of the dialect " + dialect + ", which is not read: ").str() +
      adviceFor(dialect);
  diagnostic.notes.clear();
}
