//===- debugger_bindings.h - the debugger in Python -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PYTHON_EXTENSION_DEBUGGER_BINDINGS_H
#define TTJIT_TOOLS_PYTHON_EXTENSION_DEBUGGER_BINDINGS_H

#include "tools/session/Session.h"

#include <pybind11/pybind11.h>

/// Adds the class Debugger, and set_debugger(f): f then drives the launches of kernels that are
/// compiled with the option debug.
void registerDebugger(pybind11::module_ &module, ttjit::session::Session &session);

#endif // TTJIT_TOOLS_PYTHON_EXTENSION_DEBUGGER_BINDINGS_H
