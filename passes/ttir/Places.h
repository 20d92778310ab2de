//===- Places.h - where the values of a function are ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ttir-to-ttl makes a new body of each function. For each value of the old body, Places knows its
// tensors on the host and on the device in the new body, and makes the ttir.to_layout between them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_PLACES_H
#define TTJIT_PASSES_TTIR_PLACES_H

#include "passes/ttir/Kernels.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

class Places {
public:
  explicit Places(mlir::OpBuilder &builder) : builder(builder) {}

  void setHost(mlir::Value value, mlir::Value host) { onHost[value] = host; }
  /// `isZero`: the padding of its last tiles is zero.
  void setDevice(mlir::Value value, mlir::Value device, bool isZero);
  /// Lets `value` have the tensors of another value.
  void share(mlir::Value value, mlir::Value other);
  /// Creates the move of a tensor of the host to storage of this type, for `value`.
  void upload(mlir::Value value, mlir::Value source, mlir::RankedTensorType stored);

  bool isOnDevice(mlir::Value value) const { return onDevice.contains(value); }
  /// Returns the tensor of a value that is on the device, in any layout.
  mlir::Value stored(mlir::Value value) const { return onDevice.lookup(value); }
  /// Returns the tensor on the host or on the device. Moves it there if it is only elsewhere.
  mlir::Value host(mlir::Value value);
  mlir::Value device(mlir::Value value);
  bool isZeroPadded(mlir::Value value) const { return !dirty.contains(value); }

  /// Creates storage for a value.
  mlir::Value allocate(mlir::Location loc, mlir::RankedTensorType type);
  /// Creates the mask of ttjit::maskFor on the device.
  mlir::Value mask(mlir::Location loc, const MaskExtents &extents);

private:
  mlir::Value move(mlir::Location loc, mlir::Value value, mlir::Value into);

  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, mlir::Value> onHost, onDevice;
  llvm::DenseSet<mlir::Value> dirty;
  llvm::MapVector<std::pair<int64_t, int64_t>, mlir::Value> masks;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_PLACES_H
