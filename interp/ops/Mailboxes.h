//===- Mailboxes.h - pipes as the language has them -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_MAILBOXES_H
#define TTJIT_INTERP_OPS_MAILBOXES_H

#include "interp/FunctionCompiler.h"
#include "ir/TTL/TTL.h"

namespace ttjit::interp {

/// Emits a copy into a pipe or out of one.
llvm::Error emitPipeCopy(mlir::tt::ttl::CopyOp op, FunctionCompiler &compiler);

/// Emits the wait of `op` for the pipe copy `copy`. It does nothing for a copy that was not
/// started.
void emitPipeWait(mlir::Operation *op, mlir::tt::ttl::CopyOp copy, FunctionCompiler &compiler);

/// What the handles of such copies hold, and waiting for one.
bool isPipeHandle(uint64_t handle);
hw::Status waitForPipe(const Instruction &inst, Frame &frame, uint64_t handle);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_MAILBOXES_H
