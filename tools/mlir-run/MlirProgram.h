//===- MlirProgram.h - runs func.func @main of a .mlir file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In @main, ops of `ttltest` create inputs, ttl.launch runs kernels of the same module,
// and ops of `ttltest` check and print the results.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_MLIRPROGRAM_H
#define TTJIT_TOOLS_MLIR_RUN_MLIRPROGRAM_H

#include "diagnostics/TextSink.h"
#include "tools/mlir-run/ExitStatus.h"
#include "tools/session/Session.h"

namespace ttjit::mlir_run {

/// Runs a program. `text` is the content of the file, `path` its name as the user wrote
/// it. ttltest.print writes to `out`; diagnostics and faults go to `messages`. The run
/// ends at the first compile error or fault, but continues after a failed expectation.
ExitStatus runMlirProgram(std::string_view text, const std::string &path, session::Session &session,
                          const diagnostics::TextSink &out, const diagnostics::TextSink &messages);

/// The name of runMlirProgram in libttjit-modules, for programs that load it.
inline constexpr char kRunMlirProgramSymbol[] = "ttjit_run_mlir_program";

} // namespace ttjit::mlir_run

#endif // TTJIT_TOOLS_MLIR_RUN_MLIRPROGRAM_H
