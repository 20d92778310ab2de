//===- Sources.h - modules and passes of the tests ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_ROBUSTNESS_SOURCES_H
#define TTJIT_TESTS_UNIT_ROBUSTNESS_SOURCES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace ttjit::test {

/// The text of a module: a .mlir file of tests/, or a part of it between lines "// -----".
struct Source {
  std::string name, text;
};

/// Returns the sources, sorted by name. Some parts have no module that ttl-opt
/// accepts.
std::vector<Source> testSources();

/// Returns the IR of each module of the corpus after each stage of the pipeline.
std::vector<Source> stageSources();

/// Returns pipelines of one pass each. The passes are all that a Passes.td declares, the lowerings
/// that are not in the pipeline, and the passes of MLIR that the pipeline uses.
std::vector<std::string> passNames();

/// Returns a context that has every dialect and all passes, and starts no threads.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Collects errors. An error that has no line of the source counts as a mistake.
class Errors {
public:
  explicit Errors(mlir::MLIRContext &context);
  /// Returns the first error that has no position; empty if there is none.
  std::string withoutPosition;
  unsigned count = 0;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Runs a pipeline on a copy of the module and verifies the result. Returns the first error that
/// has no position; empty if there is none. A pass may fail.
std::string runPipelineOn(mlir::ModuleOp module, llvm::StringRef pipeline);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_ROBUSTNESS_SOURCES_H
