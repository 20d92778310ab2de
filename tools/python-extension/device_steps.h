//===- device_steps.h - host steps of d2m modules for Python --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds the ops that d2m-to-ttl leaves in a function besides launches: new tensors and copies
// between layouts. ttl/_models.py gets each of them as a list of elements that move.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PYTHON_EXTENSION_DEVICE_STEPS_H
#define TTJIT_TOOLS_PYTHON_EXTENSION_DEVICE_STEPS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::python_extension {

/// A copy: elements of `target`, by row-major number, get the values of elements of `source`.
struct Gather {
  mlir::Value source, target;
  std::vector<int64_t> from, to;
};

/// Returns the tensor that stores a value of `type`; null if none does. Sets `isOnDevice`.
mlir::RankedTensorType storedTensor(mlir::Type type, bool &isOnDevice);

/// Returns the value that owns the storage of a value. For a view, that is the viewed tensor.
mlir::Value storageOwner(mlir::Value value);

/// Returns whether the op only gives a storage another name or frees it.
bool isNameOnly(mlir::Operation *op);

/// Returns whether the op makes a tensor of zeros.
bool makesZeros(mlir::Operation *op);

/// Returns the copy that an op makes from its first operand. Returns nothing, and sets `why`, if
/// the op is no copy that the host can make.
std::optional<Gather> gatherOf(mlir::Operation *op, std::string &why);

} // namespace ttjit::python_extension

#endif // TTJIT_TOOLS_PYTHON_EXTENSION_DEVICE_STEPS_H
