//===- Emitter.h - --emit: kernels as files of C++ ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_EMITTER_H
#define TTJIT_TOOLS_SESSION_EMITTER_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace ttjit::session {

/// Writes one file per thread into a directory, which it makes. Files of an
/// earlier process are overwritten; of this one only if they are the same, else
/// the name gets a number.
class Emitter {
public:
  explicit Emitter(std::string directory) : directory(std::move(directory)) {}

  /// A module of stage `ttkernel`. Reports errors as MLIR diagnostics.
  mlir::LogicalResult emit(mlir::ModuleOp module);

private:
  mlir::LogicalResult write(mlir::ModuleOp module, const std::string &name,
                            const std::string &text);

  std::string directory;
  std::map<std::string, std::string> written; ///< text by file name
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_EMITTER_H
