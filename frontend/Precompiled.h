//===- Precompiled.h - headers that are compiled once for frontend/ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The build includes this file before every source file of frontend/. Each source file still
// includes the headers that it uses.
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
