//===- ToLLVM.h - thread functions to the LLVM dialect --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The JIT's lowering of stage `ttkernel`. A thread function `@k__reader()`
// becomes `void k__reader(ptr thread)`; what it asks of the device becomes calls:
//
//   ttl_hw_<op>       the kernel API (hw/abi/KernelApi.h), one per ttkernel op
//   ttl_jit_<helper>  what compiled code needs around them; jit/lib/DeviceInlines.cpp
//                     defines these and says what each does
//
// A device call is three: `ttl_jit_at` stores the position, then the call, then
// `ttl_jit_check` leaves the thread unless the status is Ok. All of it is
// straight-line code here; branches appear when the helpers are inlined.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_TOLLVM_H
#define TTJIT_PASSES_LLVM_TOLLVM_H

#include "ir/Support/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace ttjit {

/// Names of a module's functions must not begin with this: they are the calls.
inline constexpr llvm::StringLiteral kReservedPrefix = "ttl_";

/// Why `thread` cannot be lowered, in words and with the position, or nothing.
std::optional<std::string> whyNotToLLVM(mlir::func::FuncOp thread);

/// Lowers a module that holds thread functions only. On failure the module is
/// of no use and diagnostics say why. Positions get their numbers from
/// `locations`.
mlir::LogicalResult convertToLLVM(mlir::ModuleOp module, LocationTable &locations);

/// `ttkernel-to-llvm` for ttl-opt: lowers the functions that carry
/// `ttl.kernel_thread` and leaves the rest of the module.
void registerToLLVMPass();

} // namespace ttjit

#endif // TTJIT_PASSES_LLVM_TOLLVM_H
