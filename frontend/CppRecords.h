//===- CppRecords.h - programs in C++ from Python -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_CPPRECORDS_H
#define TTJIT_FRONTEND_CPPRECORDS_H

#include "frontend/launcher/CppProgram.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Reads the dict that ttnn/generic.py makes of a ttnn.ProgramDescriptor. The caller must hold
/// the GIL.
CppProgram readCppProgram(const pybind11::dict &record);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_CPPRECORDS_H
