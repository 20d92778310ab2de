//===- ProgramBuilder.h - ttl.program to hw::Program ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads resources and threads of a kernel of any stage. The engines add the code,
// every launch the addresses of its tensors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_PROGRAMBUILDER_H
#define TTJIT_TOOLS_PLAN_PROGRAMBUILDER_H

#include "hw/device/Device.h"
#include "interp/ThreadSource.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::session {

/// One launch's program, without code. The vectors run parallel to
/// `program.threads`; `tensorArguments[t][k]` is the argument of the kernel
/// whose base address is common argument k of thread t.
struct LaunchPlan {
  hw::Program program;
  std::vector<interp::ThreadSource> sources;
  std::vector<std::vector<unsigned>> tensorArguments;
  unsigned numTensors = 0;
};

/// The kernel or program of a module that has one; null if it has none.
mlir::Operation *findKernel(mlir::ModuleOp module);

/// Sets the threads' common arguments for a launch on these tensors, the kernel's
/// arguments.
void bindTensors(LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors);

/// How far a kernel has come.
enum class Lowering : uint8_t {
  Complete, ///< stage `ttkernel`: every engine can run it
  Partial,  ///< before: the interpreter runs it; what is not assigned is provisional
};

/// `kernel` is a ttl.program, or a ttl.kernel if `lowering` is Partial. Fails, with a
/// diagnostic at the op, where something is missing or names arguments and buffers
/// that are not there.
mlir::FailureOr<LaunchPlan> buildLaunchPlan(mlir::Operation *kernel, const hw::ArchDesc &arch,
                                            Lowering lowering);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_PLAN_PROGRAMBUILDER_H
