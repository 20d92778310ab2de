//===- HostArray.h - tensors over numpy and torch arrays -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Wraps what a Python caller passes as a tensor, without copying where the
// memory allows it. torch is recognised when the program imported it and never
// imported from here. Every function needs the GIL.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_HOSTARRAY_H
#define TTJIT_FRONTEND_TENSOR_HOSTARRAY_H

#include "frontend/tensor/Tensor.h"

#include <pybind11/numpy.h>

namespace ttjit::frontend {

/// Whether tensorOf accepts the object: a ttnn tensor, a numpy array or a torch
/// tensor.
bool isTensorLike(pybind11::handle object);

/// A numpy array in the host storage of `dtype`.
struct [[gnu::visibility("hidden")]] TypedArray {
  pybind11::array array;
  DType dtype;
};

/// The memory of a numpy array or a torch tensor under the type that it has:
/// bfloat16 (of torch or the ml_dtypes package) becomes an array of uint16.
/// Throws TensorError for an element type that has no tensor type.
TypedArray typedArray(pybind11::object object);

/// The tensor behind a ttnn tensor; for a numpy array or a torch tensor a new
/// host tensor over the same memory with this layout and memory. An array that
/// is not contiguous is copied, and written back after copyBack. Throws
/// TensorError for an element type that has no tensor type.
std::shared_ptr<Tensor> tensorOf(pybind11::handle object, TensorLayout layout = TensorLayout::Tile,
                                 MemoryConfig memory = {});

/// The same for a numpy array whose bits are elements of `dtype`: a uint16 array holds
/// bfloat16.
std::shared_ptr<Tensor> tensorOverNumpy(pybind11::object array, DType dtype, TensorLayout layout,
                                        MemoryConfig memory);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_HOSTARRAY_H
