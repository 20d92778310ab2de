//===- Emitter.h - writes C++ files for --emit ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_EMITTER_H
#define TTJIT_TOOLS_SESSION_EMITTER_H

#include "passes/metalium/DeviceProgram.h"
#include "passes/metalium/MetaliumVersion.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <vector>

namespace ttjit::session {

/// Emits kernels. Unless the directory is empty, it creates it and writes one file per thread into
/// it, program.json, which describes the programs, and run_on_device.py. It overwrites files that
/// another process wrote. If it has written another text under a name, it adds a number to the
/// name: "add__reader-2.cpp".
class Emitter {
public:
  Emitter(std::string directory, MetaliumVersion version)
      : directory(std::move(directory)), version(version) {}

  /// Emits a module of stage `ttkernel`, or of stage `loops` for the direct path. Reports errors as
  /// MLIR diagnostics. `hasWarned`: see EmitOptions. Sets `name` to the name of the module's last
  /// program in program.json.
  mlir::LogicalResult emit(mlir::ModuleOp module, bool hasWarned, std::string &name);

  /// Returns the programs that were emitted; equal ones are there once.
  llvm::ArrayRef<DeviceProgram> emitted() const { return programs; }

private:
  /// Returns the name under which the text was written.
  mlir::FailureOr<std::string> writeNumbered(mlir::ModuleOp module, const std::string &name,
                                             const std::string &text);
  mlir::LogicalResult write(mlir::ModuleOp module, const std::string &name,
                            const std::string &text);
  mlir::LogicalResult addProgram(mlir::ModuleOp module, DeviceProgram program, std::string &name);

  std::string directory;
  MetaliumVersion version;
  std::map<std::string, std::string> written; ///< texts that were written, by file name
  std::vector<DeviceProgram> programs;        ///< those of program.json
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_EMITTER_H
