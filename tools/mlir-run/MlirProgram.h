//===- MlirProgram.h - runs func.func @main of a .mlir file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A program of its own: ttltest ops make inputs, ttl.launch runs kernels of the
// same module, ttltest ops check and print. Runs on every engine.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_MLIRPROGRAM_H
#define TTJIT_TOOLS_MLIR_RUN_MLIRPROGRAM_H

#include "tools/mlir-run/ExitStatus.h"
#include "tools/session/Session.h"

namespace ttjit::session {

/// `text` is the file's content, `path` how the user named it. Output of
/// ttltest.print goes to `out`, diagnostics and faults to `messages`. Ends at the
/// first compile error or fault; failed expectations are counted to the end.
ExitStatus runMlirProgram(std::string_view text, const std::string &path, Session &session,
                          const TextSink &out, const TextSink &messages);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_MLIR_RUN_MLIRPROGRAM_H
