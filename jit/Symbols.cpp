//===- Symbols.cpp - symbols for compiled code --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/Symbols.h"

#include "hw/abi/CacheApi.h"
#include "hw/abi/CppApi.h"
#include "hw/abi/ExternApi.h"
#include "hw/abi/KernelApi.h"
#include "hw/abi/L1Pointer.h"
#include "hw/abi/SlowPaths.h"
#include "hw/calls/Border.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace llvm::orc;

SymbolMap ttjit::jit::deviceSymbols(MangleAndInterner &mangle) {
  SymbolMap symbols;
  auto bind = [&](const char *name, auto *function) {
    symbols[mangle(name)] = ExecutorSymbolDef(ExecutorAddr::fromPtr(function),
                                              JITSymbolFlags::Exported | JITSymbolFlags::Callable);
  };
#define BIND(name) bind(#name, &ttjit::hw::Guarded<&name>::call);
  HW_KERNEL_API(BIND)
  HW_SLOW_PATHS(BIND)
  HW_EXTERN_API(BIND)
  HW_CPP_API(BIND)
  BIND(ttl_hw_l1_pointer)
  BIND(ttl_hw_invalidate_l1_cache)
#undef BIND
  bind("memcpy", &std::memcpy);
  bind("memmove", &std::memmove);
  bind("memset", &std::memset);
  // LLVM calls it for frem. fmodf is exact, so every correct one gives the same bits.
  bind("fmodf", static_cast<float (*)(float, float)>(&std::fmod));
  return symbols;
}
