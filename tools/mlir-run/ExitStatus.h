//===- ExitStatus.h - exit status of `ttl-jit run` ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_EXITSTATUS_H
#define TTJIT_TOOLS_MLIR_RUN_EXITSTATUS_H

namespace ttjit::mlir_run {

enum class ExitStatus : int {
  Success = 0,
  ScriptFailed = 1, ///< an uncaught exception or a failed expectation
  Usage = 2,
  CompileError = 3,
  RuntimeFault = 4,
  Interrupted = 130,
};

} // namespace ttjit::mlir_run

#endif // TTJIT_TOOLS_MLIR_RUN_EXITSTATUS_H
