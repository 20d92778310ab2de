//===- HostArray.h - tensors over arrays of the host ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Wraps an array that a Python caller passes as a tensor. It does not copy the array if the memory
// allows it. The frontend never imports torch; it recognises torch's tensors if the program
// imported torch. The caller of each function must hold the GIL.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_HOSTARRAY_H
#define TTJIT_FRONTEND_TENSOR_HOSTARRAY_H

#include "frontend/tensor/Tensor.h"
#include "frontend/tensor/TypedArray.h"

namespace ttjit::frontend {

/// Returns whether tensorOf accepts the object: a ttnn tensor, a numpy array, a torch tensor, or an
/// object whose class has __dlpack__.
bool isTensorLike(pybind11::handle object);

/// Returns the memory of a numpy array, a torch tensor, or an object with __dlpack__, with its
/// element type. Elements of bfloat16 (of torch, of the ml_dtypes package, of DLPack) become
/// uint16. Throws TensorError if no tensor type exists for the elements.
TypedArray typedArray(pybind11::object object);

/// Returns the tensor of a ttnn tensor. For another array, returns a new host
/// tensor over the same memory, with this layout and memory. An array that is not contiguous is
/// copied, and copyBack writes the copy back. Throws TensorError if no tensor type exists for the
/// elements.
std::shared_ptr<Tensor> tensorOf(pybind11::handle object, TensorLayout layout = TensorLayout::Tile,
                                 MemoryConfig memory = {});

/// Returns a new host tensor over a numpy array whose bits are elements of `dtype`: a uint16 array
/// holds bfloat16.
std::shared_ptr<Tensor> tensorOverNumpy(pybind11::object array, DType dtype, TensorLayout layout,
                                        MemoryConfig memory);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_HOSTARRAY_H
