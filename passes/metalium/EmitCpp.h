//===- EmitCpp.h - emits kernels as Metalium C++ --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Turns stage ttkernel or loops into EmitC and then into C++ text: one file per thread, to be
// compiled by tt-metal. Users read this code, so it keeps their names and shows their
// source lines.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_EMITCPP_H
#define TTJIT_PASSES_METALIUM_EMITCPP_H

#include "hw/facts/MetaliumVersion.h"
#include "passes/metalium/DeviceProgram.h"
#include "passes/metalium/SourceLines.h"

#include "mlir/IR/BuiltinOps.h"

#include <set>
#include <string>
#include <vector>

namespace ttjit {

struct EmitOptions {
  hw::MetaliumVersion version;
  SourceLineReader sourceLine; ///< if null, comments have line numbers only
  /// Whether the text is for the emulated device: it has #line directives to the user's program
  /// instead of comments, checks of indices, and the messages of assertions.
  bool isForHost = false;
  /// The thread functions to emit; empty: all.
  std::set<std::string> threads = {};
  /// Whether a stage or an engine warns of what is slow on a card, so that emission does not.
  bool hasWarned = false;
};

struct EmittedFile {
  std::string name; ///< <kernel>_<thread>.cpp
  std::string text;
};

struct EmittedCode {
  std::vector<EmittedFile> files;      ///< one per thread
  std::vector<DeviceProgram> programs; ///< one per ttl.program
};

/// Emits the threads of a module of stage `ttkernel`, or of stage `loops`, which takes the direct
/// path (TTLToEmitC.h). The module does not change. Fails with a diagnostic if an op has no
/// counterpart in C++.
mlir::FailureOr<EmittedCode> emitMetaliumCpp(mlir::ModuleOp lowered, const EmitOptions &options);

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_EMITCPP_H
