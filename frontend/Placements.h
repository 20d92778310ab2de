//===- Placements.h - ways between placements in Python -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_PLACEMENTS_H
#define TTJIT_FRONTEND_PLACEMENTS_H

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

void bindPlacements(pybind11::module_ &module);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_PLACEMENTS_H
