//===- Spread.h - `*items` and `**mapping` --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CALLS_SPREAD_H
#define TTJIT_FRONTEND_WALK_CALLS_SPREAD_H

#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

/// Returns the items of an ast.Starred (`*items`), each of which is an argument or element of its
/// own.
std::vector<Value> spread(Walker &walker, py::handle starred);
/// Returns the entries of the dict in a `**mapping`.
DictEntries spreadEntries(Walker &walker, py::handle mapping);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CALLS_SPREAD_H
