//===- Helpers.h - functions and headers for emitted files ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_HELPERS_H
#define TTJIT_PASSES_METALIUM_HELPERS_H

#include "passes/metalium/MetaliumVersion.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ttjit::emit {

/// Returns the text of function `callee` if emitted files must define it themselves,
/// such as "ttl_floordiv"; empty otherwise.
llvm::StringRef helperFunction(llvm::StringRef callee);

/// Returns the text as the generation spells the calls in it.
std::string helperText(llvm::StringRef callee, const MetaliumVersion &version);

} // namespace ttjit::emit

#endif // TTJIT_PASSES_METALIUM_HELPERS_H
