//===- device_steps.h - host steps of d2m modules for Python --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is left of a function after d2m-to-ttl, besides launches: new tensors and copies between
// layouts. Each becomes a list of elements that move, for ttl/_models.py.
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

/// Elements of `target`, by their row-major numbers, that become elements of `source`.
struct Gather {
  mlir::Value source, target;
  std::vector<int64_t> from, to;
};

/// Returns the tensor that stores a value, and whether it is on the device; null if none does.
mlir::RankedTensorType storedTensor(mlir::Type type, bool &isOnDevice);

/// Returns the value that owns the storage of a value: of a view, what it is a view of.
mlir::Value storageOwner(mlir::Value value);

/// Returns whether the op only gives a storage another name or frees it.
bool isNameOnly(mlir::Operation *op);

/// Returns whether the op makes a tensor of zeros.
bool makesZeros(mlir::Operation *op);

/// Returns the copy that an op makes, from its first operand. Nothing, and in `why` the reason, if
/// the op is no copy that the host can make.
std::optional<Gather> gatherOf(mlir::Operation *op, std::string &why);

} // namespace ttjit::python_extension

#endif // TTJIT_TOOLS_PYTHON_EXTENSION_DEVICE_STEPS_H
