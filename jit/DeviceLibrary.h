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

/// Builds of the library. Plain: any target. Fma: it has a fused multiply-add
/// instruction. Wide: and 32 vector registers of 512 bits. Same bits from each.
enum class DeviceLevel { Plain, Fma, Wide };

/// Links what `module` needs of the library into it, as internal functions. Threads with
/// very many calls keep them as calls; others inline them.
llvm::Error linkDeviceLibrary(llvm::Module &module, DeviceLevel level);

} // namespace ttjit::jit

#endif // TTJIT_JIT_DEVICELIBRARY_H
