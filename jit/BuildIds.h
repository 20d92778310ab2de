//===- BuildIds.h - the builds of the libraries that compile kernels *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_BUILDIDS_H
#define TTJIT_JIT_BUILDIDS_H

#include <string>

namespace ttjit::jit {

/// Returns the versions and the linker's build ids of the files that hold this library,
/// the device, MLIR and LLVM; empty if one of the files has no build id. Any change of their code
/// changes the id, also a change of the device's functions in bitcode.
const std::string &buildIds();

} // namespace ttjit::jit

#endif // TTJIT_JIT_BUILDIDS_H
