//===- ScheduleFile.h - a kernel's schedule in the transform dialect *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A schedule: a module with `transform.named_sequence @__transform_main`, which is
// applied to a kernel's module between two stages of the pipeline. docs/scheduling.md
// describes it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_SCHEDULEFILE_H
#define TTJIT_TOOLS_SESSION_SCHEDULEFILE_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace ttjit::session {

class ScheduleFile {
public:
  /// Parses and checks the text. `path` is used only for positions. Reports errors as MLIR
  /// diagnostics.
  static mlir::FailureOr<ScheduleFile> parse(mlir::MLIRContext *context, const std::string &path,
                                             const std::string &text);

  /// The stage after which the schedule is applied: attribute `ttl.after_stage` of the
  /// sequence or the module, else `compute`.
  const std::string &stage() const { return afterStage; }

  /// Transforms the module and verifies the result. Reports errors at the transform op,
  /// with notes at the ops to which it was applied.
  mlir::LogicalResult apply(mlir::ModuleOp payload);

private:
  mlir::LogicalResult findMain();
  mlir::LogicalResult readStage();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::transform::TransformOpInterface main;
  std::string afterStage = "compute";
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_SCHEDULEFILE_H
