//===- EmbeddedPython.h - runs scripts in an embedded CPython -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_EMBEDDEDPYTHON_H
#define TTJIT_TOOLS_TTL_JIT_EMBEDDEDPYTHON_H

#include "tools/ttl-jit/Command.h"

/// Returns the folder of the Python packages and extensions.
std::string packageFolder();

/// Runs Python with the packages of build/python first in sys.path, and returns the exit status of
/// the process. Call it once per process.
int runPython(const PythonRun &run);

#endif // TTJIT_TOOLS_TTL_JIT_EMBEDDEDPYTHON_H
