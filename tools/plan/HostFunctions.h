//===- HostFunctions.h - functions of the host that a kernel calls --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_HOSTFUNCTIONS_H
#define TTJIT_TOOLS_PLAN_HOSTFUNCTIONS_H

#include "hw/device/HostFunction.h"

#include "mlir/IR/BuiltinOps.h"

namespace ttjit::plan {

/// Opens a C function of a library; an empty name means this process. Returns null and sets
/// `mistake` if there is none.
std::shared_ptr<hw::HostFunction> openFunction(const std::string &library,
                                               const std::string &symbol, std::string &mistake);

/// Returns every function that a ttl.call_host or ttkernel.call_host of the module names: those in
/// `known`, and C functions of libraries, which this function opens. Fails, with a diagnostic, for
/// a function that is neither.
mlir::FailureOr<hw::HostFunctions> findHostFunctions(mlir::ModuleOp module,
                                                     const hw::HostFunctions &known);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_HOSTFUNCTIONS_H
