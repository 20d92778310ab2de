//===- EmitReport.h - counts and limits of emitted kernels ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_EMISSION_EMITREPORT_H
#define TTJIT_TOOLS_EMISSION_EMITREPORT_H

#include "passes/metalium/DeviceProgram.h"

#include <string>

namespace ttjit::emission {

/// Returns a table with a row for each kernel of the programs, and one of totals.
std::string renderCounts(llvm::ArrayRef<DeviceProgram> programs);

/// Returns the same as JSON.
std::string renderCountsJson(llvm::ArrayRef<DeviceProgram> programs);

} // namespace ttjit::emission

#endif // TTJIT_TOOLS_EMISSION_EMITREPORT_H
