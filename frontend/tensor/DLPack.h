//===- DLPack.h - arrays of other libraries -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DLPack is the protocol by which array libraries lend each other memory. An object that lends its
// memory has the methods __dlpack__ and __dlpack_device__.
// The caller of each function must hold the GIL.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_DLPACK_H
#define TTJIT_FRONTEND_TENSOR_DLPACK_H

#include "frontend/tensor/TypedArray.h"

namespace ttjit::frontend {

/// Returns whether the class of the object has __dlpack__. This runs no code of the program.
bool lendsMemory(pybind11::handle object);

/// Returns a numpy array over the memory that the object lends. The loan ends when the array is
/// destroyed. Elements of bfloat16 become uint16. Throws TensorError if the memory is not on the
/// CPU, or if no tensor type exists for the elements.
TypedArray borrowedArray(const pybind11::object &object);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_DLPACK_H
