//===- CppRecords.h - programs in C++ from Python -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_CPPRECORDS_H
#define TTJIT_FRONTEND_CPPRECORDS_H

#include "frontend/launcher/RuntimeResources.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Reads the dict that ttnn/generic.py makes of a ttnn.ProgramDescriptor. The caller must hold
/// the GIL.
CppProgram readCppProgram(const pybind11::dict &record);

/// Reads what ttl/_runtime_resources.py makes of a ttl.ProgramRuntimeResources:
/// ([(id, initial value, cores)], [(thread, [(core, values)])]), or None. The caller must hold the
/// GIL.
RuntimeResources readResources(const pybind11::object &record);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_CPPRECORDS_H
