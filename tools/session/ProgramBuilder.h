//===- ProgramBuilder.h - ttl.program to hw::Program ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads resources and thread bindings of a program of stage `ttkernel`. The
// engines add the code, every launch the addresses of its tensors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_PROGRAMBUILDER_H
#define TTJIT_TOOLS_SESSION_PROGRAMBUILDER_H

#include "hw/device/Program.h"
#include "hw/facts/Arch.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::session {

/// One launch's program, without code. The vectors run parallel to
/// `program.threads`; `tensorArguments[t][k]` is the argument of the kernel
/// whose base address is common argument k of thread t.
struct LaunchPlan {
  hw::Program program;
  std::vector<mlir::func::FuncOp> functions;
  std::vector<std::vector<unsigned>> tensorArguments;
  unsigned numTensors = 0;
};

/// Fails, with a diagnostic at the op, where a program is not complete or names
/// arguments and buffers that it does not have.
mlir::FailureOr<LaunchPlan> buildLaunchPlan(mlir::tt::ttl::ProgramOp program,
                                            const hw::ArchDesc &arch);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_PROGRAMBUILDER_H
