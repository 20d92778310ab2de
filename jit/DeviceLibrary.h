//===- DeviceLibrary.h - the device's inline functions as bitcode ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// jit/lib/DeviceInlines.cpp, compiled at build time and embedded in this library.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_DEVICELIBRARY_H
#define TTJIT_JIT_DEVICELIBRARY_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace ttjit::jit {

/// Links what `module` needs of the library into it, as internal functions.
/// `hasFma`: the target has a fused multiply-add instruction.
llvm::Error linkDeviceLibrary(llvm::Module &module, bool hasFma);

} // namespace ttjit::jit

#endif // TTJIT_JIT_DEVICELIBRARY_H
