//===- HostCalls.h - elements of blocks, functions of the host ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_HOSTCALLS_H
#define TTJIT_FRONTEND_WALK_HOSTCALLS_H

#include "frontend/walk/Calls.h"

namespace ttjit::frontend {

/// Adds ttl.raw_element_read, raw_element_write and read_index.
void addElementHandlers(HandlerTable &table);

/// Whether the object is what ttl.host_function() returns.
bool isHostFunction(py::handle object);
/// Calls it when the kernel runs.
Value callHostFunction(Walker &walker, const py::object &function, Arguments &arguments);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_HOSTCALLS_H
