//===- Precompiled.h - headers that are compiled once for frontend/ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The build includes this before every file of the layer. Each file still includes what
// it uses.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_PRECOMPILED_H
#define TTJIT_FRONTEND_PRECOMPILED_H

#include "ir/Precompiled.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#endif // TTJIT_FRONTEND_PRECOMPILED_H
