//===- ForeignModule.h - modules from files that are not trusted ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_FOREIGNMODULE_H
#define TTJIT_TOOLS_PLAN_FOREIGNMODULE_H

#include "hw/device/HostFunction.h"

#include "mlir/IR/BuiltinOps.h"

namespace ttjit::plan {

/// Makes a module safe to run that comes from an untrusted file. Fails, with a diagnostic, at an op
/// that could reach the memory of this process. Adds to `functions` each host function that the
/// module calls and that is missing there: a call is then a fault whose message ends with `advice`.
mlir::LogicalResult restrictForeignModule(mlir::ModuleOp module, const std::string &advice,
                                          hw::HostFunctions &functions);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_FOREIGNMODULE_H
