//===- PipePlan.h - adds the resources of pipes to a launch ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts landing slots, counters and tables of a kernel to those of
// hw/device/Program.h.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_PIPEPLAN_H
#define TTJIT_TOOLS_PLAN_PIPEPLAN_H

#include "hw/device/Program.h"
#include "tools/plan/LaunchPlan.h"
#include "tools/plan/ProvisionalResources.h"

#include "ir/TTL/TTL.h"

namespace ttjit::plan {

/// Adds the landing slots, the counters, and the semaphores without an id of a kernel's body.
mlir::LogicalResult addPipeResources(mlir::Region &body, llvm::ArrayRef<int64_t> grid,
                                     const ProvisionalResources &places, const hw::ArchDesc &arch,
                                     hw::Program &out);

/// Adds the numbers of tables that are the same for all nodes, table after table, to the common
/// arguments of the plan's last thread.
void addCommonNumbers(llvm::ArrayRef<mlir::tt::ttl::CreateNodeTableOp> tables, LaunchPlan &plan);

/// Adds the tables, one after the other, to the per-node arguments of the plan's last thread.
void addNodeArguments(llvm::ArrayRef<mlir::tt::ttl::CreateNodeTableOp> tables,
                      llvm::ArrayRef<int64_t> grid, const hw::ArchDesc &arch, LaunchPlan &plan);

/// Fills the tables that each launch fills. Call it after bindTensors().
void bindNumbers(LaunchPlan &plan, const std::vector<std::vector<int32_t>> &numbers);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_PIPEPLAN_H
