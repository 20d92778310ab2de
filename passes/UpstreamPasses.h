//===- UpstreamPasses.h - passes of tt-mlir by their names ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The list UpstreamPasses.def for programs: ttl-opt takes the names, and `ttl-jit explain`
// says what does the work of each here.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_UPSTREAMPASSES_H
#define TTJIT_PASSES_UPSTREAMPASSES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ttjit {

/// Registers the names of tt-mlir's passes as pipelines. A name without passes that can run
/// alone is an error that says what does its work.
void registerUpstreamPasses();

/// Returns the table of all passes of tt-mlir, in their order.
std::string explainUpstreamPasses();

/// Returns what a pass of tt-mlir, or a registered pass of ttl-jit, does, and which passes of the
/// other compiler do the same. For an unknown name `isKnown` is false, and the text says so.
std::string explainPass(llvm::StringRef name, bool &isKnown);

} // namespace ttjit

#endif // TTJIT_PASSES_UPSTREAMPASSES_H
