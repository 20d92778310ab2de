//===- NodeTables.h - tables with one number for each node ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_NODETABLES_H
#define TTJIT_FRONTEND_WALK_CONTEXT_NODETABLES_H

#include "ir/TTL/TTL.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ttjit::frontend {

class Kernel;

/// Builds a table with one number per node before the threads of the kernel. With one number per
/// node of a device, all devices have the same numbers.
mlir::tt::ttl::CreateNodeTableOp createNodeTable(Kernel &kernel, const std::string &name,
                                                 const std::vector<int32_t> &numbers);

/// Builds a table with the bits of one number for all nodes.
mlir::tt::ttl::CreateNodeTableOp createCommonNumber(Kernel &kernel, const std::string &name,
                                                    int32_t bits, mlir::Type type);

/// Returns the kernel's table with one number per node. Calls with equal numbers return the same
/// table.
mlir::Value nodeTable(Kernel &kernel, const std::string &name, const std::vector<int32_t> &numbers);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_NODETABLES_H
