//===- ToLLVM.h - thread functions to the LLVM dialect --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The JIT's lowering of stage `ttkernel`. A thread function `@k__reader()`
// becomes `void k__reader(ptr thread)`; its device ops become calls:
//
//   ttl_hw_<op>       the kernel API (hw/abi/KernelApi.h), one per ttkernel op
//   ttl_jit_<helper>  helpers around these calls, defined and described in
//                     jit/lib/DeviceInlines.cpp
//   ttl_lane_<name>   computes one element of a tile, also defined there
//
// A device call becomes three calls: `ttl_jit_at` stores the position, then the call itself,
// then `ttl_jit_check` leaves the thread unless the status is Ok. There are no branches
// here; they appear when the helpers are inlined.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_TOLLVM_H
#define TTJIT_PASSES_LLVM_TOLLVM_H

#include "ir/Locations/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace ttjit {

/// No function of a module may have a name that begins with this prefix, because names
/// of calls do.
inline constexpr llvm::StringLiteral kReservedPrefix = "ttl_";

/// Returns why `thread` cannot be lowered, with the position; nothing if it can.
std::optional<std::string> whyNotToLLVM(mlir::func::FuncOp thread);

/// Optimisations that do not change what a thread does.
struct LoweringOptions {
  bool tileLoops = true;      ///< compute DST sections and products of blocks with fewer calls
  bool blockTransfers = true; ///< move the pages of a block with one call
};

/// Lowers a module that contains only thread functions. On failure the diagnostics say
/// why, and the module must not be used. `locations` numbers the positions.
mlir::LogicalResult convertToLLVM(mlir::ModuleOp module, LocationTable &locations,
                                  LoweringOptions options);

/// Registers `ttkernel-to-llvm` for ttl-opt. The pass lowers the functions with
/// `ttl.kernel_thread` and leaves the rest of the module unchanged.
void registerToLLVMPass();

} // namespace ttjit

#endif // TTJIT_PASSES_LLVM_TOLLVM_H
