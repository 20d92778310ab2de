//===- model_bindings.h - modules of ttir in Python -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PYTHON_EXTENSION_MODEL_BINDINGS_H
#define TTJIT_TOOLS_PYTHON_EXTENSION_MODEL_BINDINGS_H

#include <pybind11/pybind11.h>

/// Adds lower_model(), which makes kernels of a module of ttir.
void registerModels(pybind11::module_ &module);

#endif // TTJIT_TOOLS_PYTHON_EXTENSION_MODEL_BINDINGS_H
