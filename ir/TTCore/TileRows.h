//===- TileRows.h - ops that the rows of hw/facts/TileOps.def name --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ops of the rows of one kind share a class (ir/TTCore/RowModel.h), and ttcore::TileOpInterface
// says which row an op has.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TILEROWS_H
#define TTJIT_IR_TTCORE_TILEROWS_H

#include "hw/facts/TileOps.h"
#include "ir/TTCore/RowModel.h"
#include "ir/TTCore/TTCore.h"

namespace mlir::tt::ttcore {

/// The RowModel of an op of the table of tile operations.
template <typename OpT> using TileRowModel = RowModel<OpT, ttjit::hw::TileOp>;

/// Returns the row of an op of a shared class.
template <typename OpT> ttjit::hw::TileOp rowOf(OpT &op) {
  return TileRowModel<OpT>::rowOf(op->getName());
}

/// Registers the op of a row. The classes are in the order of TileOpKind.
template <typename... OpT>
void registerTileRow(Dialect &dialect, StringRef name, ttjit::hw::TileOp row) {
  using Insert = void (*)(Dialect &, StringRef, ttjit::hw::TileOp);
  static constexpr Insert kInserts[] = {&TileRowModel<OpT>::insert...};
  kInserts[static_cast<int>(ttjit::hw::factsOf(row).kind)](dialect, name, row);
}

} // namespace mlir::tt::ttcore

#endif // TTJIT_IR_TTCORE_TILEROWS_H
