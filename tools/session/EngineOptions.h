//===- EngineOptions.h - the options of jit::Engine -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_ENGINEOPTIONS_H
#define TTJIT_TOOLS_SESSION_ENGINEOPTIONS_H

#include "jit/Engine.h"
#include "tools/options/Options.h"

namespace ttjit::session {

/// Returns the options of an engine whose compilations Ctrl-C ends.
jit::EngineOptions engineOptions(const options::JitOptions &options);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_ENGINEOPTIONS_H
