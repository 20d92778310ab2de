//===- FileEmitter.h - writes C++ files for --emit ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_EMISSION_FILEEMITTER_H
#define TTJIT_TOOLS_EMISSION_FILEEMITTER_H

#include "passes/metalium/DeviceProgram.h"
#include "tools/session/Emission.h"

#include <map>
#include <string>
#include <vector>

namespace ttjit::emission {

/// Writes files (see session::Emitter). Equal programs are in program.json once.
class FileEmitter : public session::Emitter {
public:
  FileEmitter(std::string directory, hw::MetaliumVersion version)
      : directory(std::move(directory)), version(version) {}

  mlir::LogicalResult emit(mlir::ModuleOp module, bool hasWarned, std::string &name) override;
  std::string report() const override;
  std::string jsonReport() const override;

private:
  /// Writes a file and returns its name, which has a number if the name was taken.
  mlir::FailureOr<std::string> writeNumbered(mlir::ModuleOp module, const std::string &name,
                                             const std::string &text);
  mlir::LogicalResult write(mlir::ModuleOp module, const std::string &name,
                            const std::string &text);
  mlir::LogicalResult addProgram(mlir::ModuleOp module, DeviceProgram program, std::string &name);

  std::string directory;
  hw::MetaliumVersion version;
  std::map<std::string, std::string> written; ///< texts that were written, by file name
  std::vector<DeviceProgram> programs;        ///< those of program.json
};

} // namespace ttjit::emission

#endif // TTJIT_TOOLS_EMISSION_FILEEMITTER_H
