//===- MlirKernels.h - kernels that are written in MLIR -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_MLIRKERNELS_H
#define TTJIT_FRONTEND_MLIRKERNELS_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/tensor/TensorSpec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

namespace ttjit::frontend {

/// A ttl.kernel or ttl.program of a module, and what Python needs to launch it.
struct MlirKernel {
  std::shared_ptr<mlir::MLIRContext> context; ///< owns the types
  std::string name;
  std::vector<int64_t> grid;
  std::vector<std::string> names; ///< of the tensors that it takes
  std::vector<mlir::RankedTensorType> types;
  std::vector<bool> written; ///< for each tensor, whether the kernel may write to it
  std::string ir;            ///< a module with this kernel only

  /// Returns whether the kernel may be launched with a tensor of these properties as its argument
  /// `index`.
  bool accepts(size_t index, const TensorSpec &spec) const;
};

/// Returns the kernels of a module. Appends an error for a kernel whose arguments Python cannot
/// give.
std::vector<std::shared_ptr<MlirKernel>>
kernelsOf(std::shared_ptr<mlir::MLIRContext> context, mlir::ModuleOp module,
          std::vector<diagnostics::CompileDiagnostic> &diagnostics);

void bindMlirKernel(pybind11::module_ &module);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_MLIRKERNELS_H
