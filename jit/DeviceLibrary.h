//===- DeviceLibrary.h - the device's inline functions as bitcode ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device's inline functions: jit/lib/DeviceInlines.cpp, compiled to bitcode at
// build time and embedded in this library.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_DEVICELIBRARY_H
#define TTJIT_JIT_DEVICELIBRARY_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace ttjit::jit {

/// The two builds of the library. Plain is for any target, Fma for targets with a fused
/// multiply-add instruction. Both compute the same bits.
enum class DeviceLevel { Plain, Fma };

/// Links the parts of the library that `module` needs into it, as internal functions. A
/// thread with many calls keeps them as calls; other threads inline them. `other` may be null or
/// a module whose code calls helpers (ttl_jit_*) in `module`: the helpers that it needs become
/// external. It calls the functions of the kernel API in hw.
llvm::Error linkDeviceLibrary(llvm::Module &module, llvm::Module *other, DeviceLevel level);

} // namespace ttjit::jit

#endif // TTJIT_JIT_DEVICELIBRARY_H
