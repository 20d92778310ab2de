//===- Helpers.h - functions and headers that emitted files need ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_HELPERS_H
#define TTJIT_PASSES_METALIUM_HELPERS_H

#include "passes/metalium/MetaliumVersion.h"

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace ttjit::emit {

/// Text of the function if `callee` is one that emitted files define for
/// themselves ("ttl_floordiv"); empty otherwise.
llvm::StringRef helperFunction(llvm::StringRef callee);

/// Names of the headers that declare the functions called.
std::set<std::string> headersFor(const std::set<std::string> &callees, bool isCompute,
                                 const MetaliumVersion &version);

} // namespace ttjit::emit

#endif // TTJIT_PASSES_METALIUM_HELPERS_H
