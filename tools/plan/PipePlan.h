//===- PipePlan.h - what pipes add to a launch ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Landing slots, counters and tables of a kernel or program, as hw takes them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_PIPEPLAN_H
#define TTJIT_TOOLS_PLAN_PIPEPLAN_H

#include "hw/device/Program.h"
#include "tools/plan/ProvisionalResources.h"

#include "ir/TTL/TTL.h"

namespace ttjit::session {

/// Semaphores without a number, landing slots and counters of a kernel's body.
mlir::LogicalResult addPipeResources(mlir::Region &body, llvm::ArrayRef<int64_t> grid,
                                     const ProvisionalResources &places, const hw::ArchDesc &arch,
                                     hw::Program &out);

/// The tables one behind the other as the per-node arguments of a thread.
void addNodeArguments(llvm::ArrayRef<mlir::tt::ttl::CreateNodeTableOp> tables,
                      llvm::ArrayRef<int64_t> grid, const hw::ArchDesc &arch,
                      hw::ThreadConfig &config);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_PLAN_PIPEPLAN_H
