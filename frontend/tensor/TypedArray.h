//===- TypedArray.h - an array of the host with its element type ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TYPEDARRAY_H
#define TTJIT_FRONTEND_TENSOR_TYPEDARRAY_H

#include "frontend/tensor/TensorSpec.h"

#include <pybind11/numpy.h>

namespace ttjit::frontend {

/// A numpy array in the host format of `dtype`.
struct [[gnu::visibility("hidden")]] TypedArray {
  pybind11::array array;
  DType dtype;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TYPEDARRAY_H
