//===- Schedule.h - a kernel's schedule -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A schedule changes a kernel's module between two stages of the pipeline. docs/scheduling.md
// describes how users write one. passes/schedule reads it, in a library that few programs load.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_H
#define TTJIT_PASSES_SCHEDULE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ttjit {

class Schedule {
public:
  virtual ~Schedule() = default;

  /// The stage after which the schedule is applied.
  virtual const std::string &stage() const = 0;

  /// Transforms the module and verifies the result. Reports errors at the transform op, with notes
  /// at the ops to which it was applied.
  virtual mlir::LogicalResult apply(mlir::ModuleOp payload) = 0;
};

/// Parses and checks a schedule. The caller has checked that MLIR's parser can take the text
/// (diagnostics/TextGuard.h). `path` is used only for positions. Reports errors as MLIR
/// diagnostics; null after an error. The caller deletes the schedule.
using ParseSchedule = Schedule *(mlir::MLIRContext *context, const std::string &path,
                                 const std::string &text);

/// The name of the function of type ParseSchedule in libttjit-schedule.
inline constexpr char kParseScheduleSymbol[] = "ttjit_parse_schedule";

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_H
