//===- EmittedFunctions.h - functions that emitted files define -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium lacks some functions that emitted kernels call, such as "ttl_floordiv". An emitted file
// defines those that it calls. Each topic has a source file with the functions' text.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_EMITTEDFUNCTIONS_H
#define TTJIT_PASSES_METALIUM_EMITTEDFUNCTIONS_H

#include "hw/facts/MetaliumVersion.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace ttjit::tometalium {

struct EmittedFunction {
  llvm::StringLiteral name, text;
  llvm::StringLiteral needs = ""; ///< another function, which the text calls
};

/// The functions of each topic.
llvm::ArrayRef<EmittedFunction> arithmeticFunctions();
llvm::ArrayRef<EmittedFunction> memoryFunctions();
llvm::ArrayRef<EmittedFunction> transferFunctions();
llvm::ArrayRef<EmittedFunction> synchronizationFunctions();
llvm::ArrayRef<EmittedFunction> fabricFunctions();

/// Returns the text of function `callee` if emitted files must define it; empty otherwise.
llvm::StringRef emittedFunction(llvm::StringRef callee);

/// Adds the functions that those of `callees` call.
void addNeededFunctions(std::set<std::string> &callees);

/// Returns the text as the generation spells the calls in it.
std::string emittedFunction(llvm::StringRef callee, const hw::MetaliumVersion &version);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_EMITTEDFUNCTIONS_H
