//===- ProgramBuilder.h - builds a hw::Program from a kernel --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the resources and threads of a kernel of any stage. An engine then adds the
// code, and each launch adds the addresses of its tensors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_PROGRAMBUILDER_H
#define TTJIT_TOOLS_PLAN_PROGRAMBUILDER_H

#include "hw/device/Device.h"
#include "ir/TTL/TTL.h"
#include "tools/plan/LaunchPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::plan {

/// Returns the ttl.kernel or ttl.program of a module; null if there is none.
mlir::Operation *findKernel(mlir::ModuleOp module);

/// Sets the common arguments of the threads, and the addresses of the buffers that tensors back.
/// `tensors` are the kernel's arguments.
void bindTensors(LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors);

/// States of the lowering of a kernel.
enum class Lowering : uint8_t {
  Complete, ///< the kernel is of stage `ttkernel`: every engine can run it
  Partial,  ///< the kernel is of an earlier stage: only the interpreter can run it
  Direct,   ///< the kernel is of stage `loops`: only C++ of the direct path can run it
};

/// Builds the plan of `kernel`, a ttl.program, or a ttl.kernel if `lowering` is
/// Partial. Fails, with a diagnostic at the op, if an attribute is missing or an op
/// uses an argument or a buffer that does not exist.
mlir::FailureOr<LaunchPlan> buildLaunchPlan(mlir::Operation *kernel, const hw::ArchDesc &arch,
                                            Lowering lowering);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_PROGRAMBUILDER_H
