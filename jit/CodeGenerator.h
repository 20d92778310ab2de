//===- CodeGenerator.h - compiles LLVM IR to an object --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The target, its features, the optimisation pipeline and code generation.
// Floating-point arithmetic is compiled as written: nothing is contracted,
// reassociated or replaced by an approximation.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CODEGENERATOR_H
#define TTJIT_JIT_CODEGENERATOR_H

#include "jit/DeviceLibrary.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <memory>
#include <string>

namespace ttjit::jit {

/// Returns the module as text.
std::string textOf(const llvm::Module &module);

class CodeGenerator {
public:
  /// `cpu` and `optLevel` have the meaning that ThreadCompilerOptions describes.
  static llvm::Expected<CodeGenerator> create(llvm::StringRef cpu, int optLevel);

  const llvm::orc::JITTargetMachineBuilder &target() const { return builder; }
  const llvm::TargetMachine &targetMachine() const { return *machine; }
  /// The build of the device library to use for this target.
  DeviceLevel deviceLevel() const;

  /// Sets the target's triple and data layout on a module.
  void setTarget(llvm::Module &module) const;
  /// Sets the target's features on every function, then runs the pipeline. Once `isGivenUp`,
  /// which may be null, is true, passes are skipped.
  void optimize(llvm::Module &module, const std::atomic<bool> *isGivenUp = nullptr) const;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compile(llvm::Module &module) const;
  /// Compiles without optimisation.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compileQuickly(llvm::Module &module) const;
  std::string assembly(const llvm::Module &module) const;
  std::string quickAssembly(const llvm::Module &module) const;

private:
  CodeGenerator(llvm::orc::JITTargetMachineBuilder builder,
                std::unique_ptr<llvm::TargetMachine> machine,
                std::unique_ptr<llvm::TargetMachine> quickMachine, int optLevel);

  llvm::orc::JITTargetMachineBuilder builder;
  std::unique_ptr<llvm::TargetMachine> machine, quickMachine;
  int optLevel;
};

} // namespace ttjit::jit

#endif // TTJIT_JIT_CODEGENERATOR_H
