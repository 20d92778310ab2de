//===- Grids.h - which cores have the shards of a tensor ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The grid of a tensor divides its physical shape. A grid is virtual if it does not fit the device:
// it has more rows or columns, or another rank. The points of a virtual grid, numbered row-major,
// are laid over a rectangle of cores row by row. Cores and devices are (row, column) here.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LAYOUTS_GRIDS_H
#define TTJIT_IR_LAYOUTS_GRIDS_H

#include "ir/Layouts/Layout.h"

namespace ttjit::layouts {

/// A rectangle of cores that begins at core (0, 0).
struct Rectangle {
  int64_t rows = 1, columns = 1;
};

/// Returns whether the grid is virtual: it has a rank other than 2 or does not fit the device.
bool isVirtual(llvm::ArrayRef<int64_t> grid, llvm::ArrayRef<int64_t> device);

/// Returns the rectangle for so many cores that is nearest to a square and fits the device;
/// nothing if none fits.
std::optional<Rectangle> rectangleFor(int64_t cores, llvm::ArrayRef<int64_t> device);

/// Returns the core of a point of a virtual grid, and the point of a core.
Shape coreOfPoint(llvm::ArrayRef<int64_t> grid, Rectangle rectangle, llvm::ArrayRef<int64_t> point);
Shape pointOfCore(llvm::ArrayRef<int64_t> grid, Rectangle rectangle, llvm::ArrayRef<int64_t> core);

/// Returns the grid that tt-mlir chooses for a physical shape of at least two dimensions. Only
/// sharded tensors get a virtual grid.
Shape selectGrid(llvm::ArrayRef<int64_t> physical, llvm::ArrayRef<int64_t> device, bool isSharded);

/// A tensor's storage seen under another grid: the index of device shape `from`, which has grid and
/// shard dimensions, that is index `point` of device shape `to`. Both have the same volume: element
/// n of the row-major physical tensor is the same in both.
Shape reblock(llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> to,
              llvm::ArrayRef<int64_t> from);

} // namespace ttjit::layouts

#endif // TTJIT_IR_LAYOUTS_GRIDS_H
