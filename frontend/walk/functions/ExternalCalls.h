//===- ExternalCalls.h - calls of C++ functions of the user ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_EXTERNALCALLS_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_EXTERNALCALLS_H

#include "frontend/walk/calls/Handlers.h"

namespace ttjit::frontend {

/// Adds the handler of ttl.call_extern_func().
void addExternalCallHandlers(HandlerTable &table);

/// Makes an object that an argument of ttl.call_extern_func() holds, such as ttl.DFBEffect.wait(d,
/// tiles=1). Returns nothing if `callee` makes no such object.
std::optional<Value> makeContractPart(Walker &walker, const py::object &callee,
                                      Arguments &arguments);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_EXTERNALCALLS_H
