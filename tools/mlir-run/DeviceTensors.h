//===- DeviceTensors.h - tensors of tt-mlir's layouts by element ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds an element of a logical shape in the row-major storage of a tensor, which is on the host,
// in a layout of tt-mlir, or in a view of such a tensor.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_DEVICETENSORS_H
#define TTJIT_TOOLS_MLIR_RUN_DEVICETENSORS_H

#include "ir/Layouts/Position.h"
#include "ir/modules/D2M/D2M.h"

#include <optional>
#include <string>

namespace ttjit::mlir_run {

class ElementFinder {
public:
  /// Makes a finder for values of `type` in a storage of type `storage`. `map` maps a value's
  /// indices to the storage's. Returns nothing and sets `why` for types without logical elements.
  static std::optional<ElementFinder> create(mlir::Type type, mlir::Type storage,
                                             mlir::AffineMap map, std::string &why);

  llvm::ArrayRef<int64_t> logicalShape() const { return logical; }
  /// Returns the row-major number of an element in the storage.
  int64_t find(llvm::ArrayRef<int64_t> element) const;

private:
  layouts::Shape logical, stored;                 ///< extents of the value and of the storage
  std::optional<layouts::PlacedLayout> placement; ///< none: a tensor of the host
  layouts::TileShape tile{1, 1};
  mlir::AffineMap map;
};

/// Finds elements of a value by its indices on the device: those of the grid, then those of the
/// shard, whose last two count rows and columns of elements (not of tiles).
struct DeviceElements {
  /// For a value of `type`. `map` maps its indices to those of a storage of shape `stored`.
  DeviceElements(mlir::Type type, mlir::AffineMap map, llvm::ArrayRef<int64_t> stored);
  /// Returns the number of an element in the storage; nothing if the view leads outside.
  std::optional<int64_t> find(llvm::ArrayRef<int64_t> index) const;

  mlir::AffineMap map;
  llvm::SmallVector<int64_t> stored, extents;
  int64_t rows = 1, columns = 1;
};

/// Advances an index in row-major order; returns false after the last one.
bool nextIndex(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

} // namespace ttjit::mlir_run

#endif // TTJIT_TOOLS_MLIR_RUN_DEVICETENSORS_H
