//===- ThreadChecks.h - which thread may do what --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_THREADCHECKS_H
#define TTJIT_FRONTEND_WALK_CONTEXT_THREADCHECKS_H

#include <string_view>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

namespace py = pybind11;

class Arguments;
class Walker;

/// Fails unless the thread is the compute thread. `what` names the operation in the message.
void requireCompute(const Walker &walker, py::handle node, std::string_view what);

/// Fails if the thread is the compute thread. `what` names the operation in the message.
void requireDataMovement(const Walker &walker, py::handle node, std::string_view what);
void requireDataMovement(const Walker &walker, const Arguments &call);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_THREADCHECKS_H
