//===- DebuggerRegistration.h - shows compiled code to gdb ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_DEBUGGERREGISTRATION_H
#define TTJIT_JIT_DEBUGGERREGISTRATION_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace ttjit::jit {

/// Makes the JIT register the debug information of code that it loads from now on, through gdb's
/// interface for JIT compilers. Fails if it cannot on this host.
llvm::Error registerWithDebuggers(llvm::orc::LLJIT &lljit);

} // namespace ttjit::jit

#endif // TTJIT_JIT_DEBUGGERREGISTRATION_H
