//===- ModulePasses.h - the passes on modules of other compilers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// These passes make kernels of modules of ttir, ttnn, tosa and d2m. Nothing else needs them, so
// that they are in a shared library of their own, libttjit-modules.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_MODULES_MODULEPASSES_H
#define TTJIT_PASSES_MODULES_MODULEPASSES_H

namespace ttjit {

/// Registers the passes by name. Only the first call has an effect.
void registerModulePasses();

/// The name of the same function in the library, for programs that load it.
inline constexpr char kRegisterModulePassesSymbol[] = "ttjit_register_module_passes";

} // namespace ttjit

#endif // TTJIT_PASSES_MODULES_MODULEPASSES_H
