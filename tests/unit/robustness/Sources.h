//===- Sources.h - the modules of the tests and the names of the passes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_ROBUSTNESS_SOURCES_H
#define TTJIT_TESTS_UNIT_ROBUSTNESS_SOURCES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace ttjit::test {

/// Text of a module: a .mlir file of tests/, or a part of one between lines "// -----".
struct Source {
  std::string name, text;
};

/// Sorted by name. Parts that hold no module ttl-opt accepts are among them.
std::vector<Source> testSources();

/// What each stage of the pipeline leaves of the corpus' modules.
std::vector<Source> stageSources();

/// Pipelines of one pass each: every pass that a Passes.td declares, the lowerings that
/// are no part of the pipeline, and the passes of MLIR that the pipeline uses.
std::vector<std::string> passNames();

/// A context with every dialect and with the passes registered; it starts no threads.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Collects errors: those without a line of the source count as wrong.
class Errors {
public:
  explicit Errors(mlir::MLIRContext &context);
  /// The first error that has no position; empty if there is none.
  std::string withoutPosition;
  unsigned count = 0;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Runs a pipeline on a copy of the module and verifies what it leaves. Returns what is
/// wrong with that: an error without a position. A pass may fail.
std::string runPipelineOn(mlir::ModuleOp module, llvm::StringRef pipeline);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_ROBUSTNESS_SOURCES_H
