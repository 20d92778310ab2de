//===- SavedKernel.h - the IR of a kernel that a file holds ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_SAVEDKERNEL_H
#define TTJIT_FRONTEND_SAVEDKERNEL_H

#include "frontend/launcher/Launcher.h"
#include "frontend/tensor/Tensor.h"

#include "ir/TTL/TTL.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Parses the text of a module. Raises a ValueError that says what is wrong with it.
mlir::OwningOpRef<mlir::ModuleOp> parseKernel(mlir::MLIRContext &context, const std::string &ir);

/// A kernel of a file, whose fields need not belong together. Raises a ValueError if they do not.
/// The caller holds the GIL.
class SavedKernel {
public:
  /// Checks that the module is one that CompiledKernel.save() wrote, if `isSaved` is true. A module
  /// that a user wrote may also hold a ttl.program; its tensors are checked elsewhere.
  SavedKernel(mlir::OwningOpRef<mlir::ModuleOp> module, const std::vector<bool> &written,
              bool isSaved);

  /// Adds the host functions that the program gives, {name: ttl._host.HostFunction}. A name is that
  /// of the function, or "LIBRARY:NAME".
  void addFunctions(Launcher &launcher, const pybind11::dict &given);

  /// Makes calls of other host functions a fault. An error says that the module must not run.
  std::vector<diagnostics::CompileDiagnostic> restrict(Launcher &launcher);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string name;
  std::vector<int64_t> grid;
  std::vector<mlir::Type> tensorTypes;
  std::vector<bool> written; ///< also true for each tensor that the IR may write
  hw::HostFunctions functions;

private:
  void check();
};

/// Raises a TypeError for a tensor of another type than the kernel's IR has. `types` may be empty.
void checkTensorTypes(const std::vector<mlir::Type> &types,
                      const std::vector<std::shared_ptr<Tensor>> &tensors,
                      const std::vector<std::string> &names);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_SAVEDKERNEL_H
