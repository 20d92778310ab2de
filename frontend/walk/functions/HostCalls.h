//===- HostCalls.h - elements of blocks, host functions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_HOSTCALLS_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_HOSTCALLS_H

#include "frontend/walk/calls/Handlers.h"

namespace ttjit::frontend {

/// Adds the handlers of ttl.raw_element_read, ttl.raw_element_write and ttl.read_index.
void addElementHandlers(HandlerTable &table);

/// Returns whether `object` is a function that ttl.host_function() made.
bool isHostFunction(py::handle object);
/// Builds a call of a host function, which runs on the host while the kernel runs.
Value callHostFunction(Walker &walker, const py::object &function, Arguments &arguments);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_HOSTCALLS_H
