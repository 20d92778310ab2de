//===- OrderDependence.h - results that depend on the order ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_ORDERDEPENDENCE_H
#define TTJIT_PASSES_TTL_ORDERDEPENDENCE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace ttjit {

/// Returns why the results of the kernels of a module may depend on the order in which threads and
/// transfers run, one reason a text. Without a reason all orders have the same results and
/// deadlocks, unless there is a race: threads then wait only for channels with one sender and one
/// receiver, and for semaphores that only grow (Kahn 1974). The module must be as the frontend
/// makes it.
std::vector<std::string> orderDependences(mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_ORDERDEPENDENCE_H
