//===- Mailboxes.h - interprets pipes before their lowering ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_MAILBOXES_H
#define TTJIT_INTERP_OPS_MAILBOXES_H

#include "interp/FunctionCompiler.h"
#include "ir/TTL/TTL.h"

namespace ttjit::interp {

/// Emits a copy into or out of a pipe.
llvm::Error emitPipeCopy(mlir::tt::ttl::CopyOp op, FunctionCompiler &compiler);

/// Emits the wait of `op` for `copy`, a copy over a pipe. The wait does nothing if the
/// copy was not started.
void emitPipeWait(mlir::Operation *op, mlir::tt::ttl::CopyOp copy, FunctionCompiler &compiler);

/// Returns whether a handle belongs to a copy over a pipe. waitForPipe waits for such a handle.
bool isPipeHandle(uint64_t handle);
hw::Status waitForPipe(const Instruction &inst, Frame &frame, uint64_t handle);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_MAILBOXES_H
