//===- CppSource.h - a kernel thread in C++ -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CPPSOURCE_H
#define TTJIT_JIT_CPPSOURCE_H

#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace ttjit::jit {

struct CppSource {
  std::string name;                      ///< the symbol of the compiled thread
  std::string file, text;                ///< the name of the file in messages; the file's text
  std::vector<std::string> defines;      ///< macros: NAME=VALUE
  std::vector<std::string> headers = {}; ///< included before the text
  /// Whether the text includes files of the host. The code of such a source is not kept in the
  /// cache, because these files may change.
  bool readsFiles = false;
  std::vector<std::string> includePaths = {}; ///< folders of the host in which #include looks
};

/// The name of the function that libttjit-clang.so exports, and its type. It returns null and
/// sets `errors` if the source has errors.
inline constexpr char kCompileCppSymbol[] = "ttjit_compile_cpp";
using CompileCpp = void(const CppSource &source, llvm::LLVMContext &context,
                        std::unique_ptr<llvm::Module> &module, std::string &errors);

} // namespace ttjit::jit

#endif // TTJIT_JIT_CPPSOURCE_H
