//===- Emitter.h - writes C++ files for --emit ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_EMITTER_H
#define TTJIT_TOOLS_SESSION_EMITTER_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace ttjit::session {

/// Creates a directory and writes one file per thread into it. Overwrites the files of
/// earlier processes. A name that this process has already used for another text gets a
/// number: "add__reader-2.cpp".
class Emitter {
public:
  explicit Emitter(std::string directory) : directory(std::move(directory)) {}

  /// Emits a module of stage `ttkernel`. Reports errors as MLIR diagnostics.
  mlir::LogicalResult emit(mlir::ModuleOp module);

private:
  mlir::LogicalResult write(mlir::ModuleOp module, const std::string &name,
                            const std::string &text);

  std::string directory;
  std::map<std::string, std::string> written; ///< texts that were written, by file name
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_EMITTER_H
