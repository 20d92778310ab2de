//===- ApiTable.h - checks calls against Metalium's API -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The table is hw/facts/MetaliumApi.def together with the rows of hw/facts/TileOps.def.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_APITABLE_H
#define TTJIT_PASSES_METALIUM_APITABLE_H

#include "hw/facts/MetaliumVersion.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include <set>
#include <string>

namespace ttjit::tometalium {

/// Calls with this attribute are of functions that the user provides.
inline constexpr llvm::StringLiteral kUserFunctionAttr = "ttl.user_function";

/// Fails, with an internal error, if the function calls a function that the generation does not
/// declare, or with another number of arguments or template arguments.
mlir::LogicalResult checkCalls(mlir::emitc::FuncOp function, bool isCompute,
                               const hw::MetaliumVersion &version);

/// Returns the headers that declare these functions.
std::set<std::string> headersFor(const std::set<std::string> &callees, bool isCompute,
                                 const hw::MetaliumVersion &version);

/// Returns whether the name is a function of the API, in any generation.
bool isApiFunction(llvm::StringRef name);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_APITABLE_H
