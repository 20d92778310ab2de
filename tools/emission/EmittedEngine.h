//===- EmittedEngine.h - the emitted C++ as an engine ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_EMISSION_EMITTEDENGINE_H
#define TTJIT_TOOLS_EMISSION_EMITTEDENGINE_H

#include "tools/session/Engine.h"

namespace ttjit::emission {

/// Creates the engine that runs emitted C++, compiled for the host. If `onlyExternal`, it runs only
/// the threads that call C++ functions of the user.
std::unique_ptr<session::Engine> createEmittedEngine(options::JitOptions options,
                                                     bool onlyExternal);

} // namespace ttjit::emission

#endif // TTJIT_TOOLS_EMISSION_EMITTEDENGINE_H
