//===- CachedProgram.h - a compiled program as bytes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CACHEDPROGRAM_H
#define TTJIT_JIT_CACHEDPROGRAM_H

#include "ir/Locations/Locations.h"
#include "jit/CppSource.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::jit {

/// The object files of a program. They refer to each other.
using Objects = std::vector<std::unique_ptr<llvm::MemoryBuffer>>;

/// Object files, with the symbols and positions that a compiler needs to load them.
struct CachedProgram {
  std::vector<std::string> names;     ///< symbols of the threads
  std::vector<SourceRange> locations; ///< positions 1, 2, ... of the location table
  Objects objects;
};

std::string toBytes(llvm::ArrayRef<std::string> names, llvm::ArrayRef<SourceRange> locations,
                    const Objects &objects);
/// Returns nothing if the bytes are not those of a program.
std::optional<CachedProgram> fromBytes(llvm::StringRef bytes);

/// Returns the key of a program in the cache: a digest of everything that its object
/// depends on. These are the IR of the threads with their positions, the target, the
/// options as `options` describes them, and the builds of this library, of MLIR and of
/// LLVM. Returns an empty key if a library does not name its build.
std::string cacheKey(llvm::ArrayRef<mlir::func::FuncOp> threads, const llvm::TargetMachine &target,
                     llvm::StringRef options);
/// Returns the key of kernels in C++. It depends on their sources instead of IR, and also on the
/// library with Clang and the headers.
std::string cacheKey(llvm::ArrayRef<CppSource> sources, const llvm::TargetMachine &target,
                     llvm::StringRef options);

} // namespace ttjit::jit

#endif // TTJIT_JIT_CACHEDPROGRAM_H
