//===- ThreadCompilerOptions.h - the options of jit::ThreadCompiler -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_THREADCOMPILEROPTIONS_H
#define TTJIT_TOOLS_SESSION_THREADCOMPILEROPTIONS_H

#include "jit/ThreadCompiler.h"
#include "tools/options/Options.h"

namespace ttjit::session {

/// Returns the options of a compiler whose compilations Ctrl-C ends.
jit::ThreadCompilerOptions threadCompilerOptions(const options::JitOptions &options);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_THREADCOMPILEROPTIONS_H
