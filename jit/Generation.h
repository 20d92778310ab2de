//===- Generation.h - from LLVM IR to objects -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The slow part of a compilation, from LLVM IR to object files. A generation owns all that it uses,
// so that a GenerationThread can run it on another host thread.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_GENERATION_H
#define TTJIT_JIT_GENERATION_H

#include "jit/CachedProgram.h"
#include "jit/CodeGenerator.h"
#include "jit/CompileArtifacts.h"

#include <atomic>

namespace ttjit::jit {

class Generation {
public:
  /// `optLevel` has the meaning that ThreadCompilerOptions describes.
  Generation(std::shared_ptr<const CodeGenerator> generator, int optLevel, bool wantText)
      : generator(std::move(generator)), optLevel(optLevel) {
    artifacts.wantText = wantText;
  }

  /// Links the device's library into the module, optimises it and generates code.
  llvm::Error run();
  /// Tells run() to skip the steps that it can skip, because nobody will use its result.
  void giveUp() { isGivenUp = true; }

  /// Frees all but the result and the artifacts.
  void release();

  std::shared_ptr<const CodeGenerator> generator;
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module; ///< set by the caller, in `context`
  CompileArtifacts artifacts;           ///< the texts, and the times of the steps
  Objects objects;                      ///< the result

private:
  llvm::Error addObject(llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> object);
  llvm::Error generate(std::vector<std::unique_ptr<llvm::Module>> quick);

  int optLevel;
  std::atomic<bool> isGivenUp = false;
};

} // namespace ttjit::jit

#endif // TTJIT_JIT_GENERATION_H
