//===- GridLayout.h - maps a kernel's grid to the chip --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Maps a kernel's grid of any rank to the chip's compute grid. Lowering of node queries
// and the launch both use it, because they must agree.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_NODES_GRIDLAYOUT_H
#define TTJIT_IR_NODES_GRIDLAYOUT_H

#include "hw/facts/Arch.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/ArrayRef.h"

#include <utility>

namespace ttjit {

/// The cores of a kernel: the first `numNodes`, row-major, of `columns` x `rows` cores
/// from logical core (0, 0) on. `direct`: the kernel's coordinates (x, y) are the
/// core's column and row. Otherwise node number n of the kernel's row-major order is
/// core (n % columns, n / columns).
///
/// A kernel for several devices has a grid of rank 2 with the grids of the devices side by side:
/// the first columns are those of device 0, the next ones those of device 1.
struct GridLayout {
  int64_t columns = 1, rows = 1, numNodes = 1;
  bool direct = true;
  int64_t devices = 1;

  int64_t columnsOfDevice() const { return columns / devices; }
};

/// On a ttl.kernel or ttl.program: the number of its devices, if there are several.
inline constexpr llvm::StringLiteral kDevicesAttr = "ttl.devices";

/// Returns the number of devices for which the ttl.kernel or ttl.program is.
inline int64_t devicesOf(mlir::Operation *kernel) {
  auto devices = kernel->getAttrOfType<mlir::IntegerAttr>(kDevicesAttr);
  return devices ? devices.getInt() : 1;
}

inline GridLayout layoutGrid(llvm::ArrayRef<int64_t> grid, const hw::ArchDesc &arch,
                             int64_t devices = 1) {
  if (grid.size() == 2)
    return {grid[0], grid[1], grid[0] * grid[1], true, devices};
  int64_t nodes = 1;
  for (int64_t extent : grid)
    nodes *= extent;
  int64_t columns = nodes < arch.gridX ? nodes : arch.gridX;
  return {columns, (nodes + columns - 1) / columns, nodes, false};
}

/// Returns column and row of a node, which is numbered row-major in the kernel's grid.
inline std::pair<int64_t, int64_t> coreOfNode(llvm::ArrayRef<int64_t> grid,
                                              const GridLayout &layout, int64_t node) {
  if (layout.direct)
    return {node / grid[1], node % grid[1]};
  return {node % layout.columns, node / layout.columns};
}

/// Returns whether the grid is larger than the chip's.
inline bool exceedsChip(const GridLayout &layout, const hw::ArchDesc &arch) {
  return layout.columnsOfDevice() > arch.gridX || layout.rows > arch.gridY;
}

} // namespace ttjit

#endif // TTJIT_IR_NODES_GRIDLAYOUT_H
