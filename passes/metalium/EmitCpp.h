//===- EmitCpp.h - kernels as Metalium C++ --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Stage ttkernel -> EmitC -> C++ text: one file per thread, to be compiled by
// tt-metal. Users read this code: it keeps their names and shows their lines.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_EMITCPP_H
#define TTJIT_PASSES_METALIUM_EMITCPP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ttjit {

/// What changed between versions of tt-metal. The default is the generation of
/// late 2025 and early 2026: headers under api/, names before the renames of 2026.
struct MetaliumVersion {
  std::string dataMovementHeader = "api/dataflow/dataflow_api.h";
  std::string accessorHeader = "api/tensor/tensor_accessor.h";
  std::string computeFolder = "api/compute/";
  /// copy_dest_values(from, to) instead of (to, from). The types are the same:
  /// with the wrong order a kernel compiles and computes garbage.
  bool copyDestValuesSourceFirst = false;
};

/// Text of a line of the user's program, if it can be had. Lines count from 1.
using SourceLineReader =
    std::function<std::optional<std::string>(llvm::StringRef file, int line)>;

struct EmitOptions {
  MetaliumVersion version;
  SourceLineReader sourceLine; ///< null: comments carry line numbers only
};

struct EmittedFile {
  std::string name; ///< <kernel>_<thread>.cpp
  std::string text;
};

/// The module, of stage `ttkernel`, stays as it is. Fails, with a diagnostic, on
/// an op that has no counterpart in C++.
mlir::FailureOr<std::vector<EmittedFile>> emitMetaliumCpp(mlir::ModuleOp ttkernelModule,
                                                          const EmitOptions &options);

/// Reads the user's files, each once. A file that cannot be read has no lines.
SourceLineReader readSourceLines();

/// Pass `ttkernel-to-emitc`: thread functions become emitc.func.
std::unique_ptr<mlir::Pass> createTTKernelToEmitCPass(const MetaliumVersion &version = {});
void registerTTKernelToEmitCPass();

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_EMITCPP_H
