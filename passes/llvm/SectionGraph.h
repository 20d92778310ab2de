//===- SectionGraph.h - what a DST section computes -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A straight-line section from tile_regs_acquire to tile_regs_release as a graph of
// values: DST registers, which ops overwrite, become values, which never change. A value
// is described by how one of its elements is computed (a lane); all elements of a section
// are computed in the same way.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_SECTIONGRAPH_H
#define TTJIT_PASSES_LLVM_SECTIONGRAPH_H

#include "hw/facts/DataFormat.h"
#include "hw/facts/TileDims.h"
#include "hw/facts/TileSection.h"
#include "ir/TTKernel/TTKernel.h"

#include <optional>
#include <string>

namespace ttjit::tollvm {

/// A tile that the section reads or writes.
struct GraphTile {
  hw::SectionTileKind kind;
  int number; ///< index of the buffer, or number of the scratch tile
  hw::DataFormat format;
  mlir::Value index; ///< the index that copy_tile or pack_tile gets; null for a scratch tile

  bool operator==(const GraphTile &) const = default;
};

struct GraphValue {
  /// Name of the function that computes an element, without "ttl_lane_"
  /// (jit/lib/DeviceInlines.cpp). Its arguments are the elements of `operands`, then
  /// `numbers`; or the element of `tile`, if there is one.
  std::string function;
  llvm::SmallVector<unsigned, 3> operands = {}; ///< indices of values before this one
  llvm::SmallVector<mlir::Value, 3> numbers = {};
  std::optional<unsigned> tile = {};
  /// If set, the value is the broadcast of `tile` that fills these dimensions.
  std::optional<hw::TileDims> filled = {};
  int cost = 0; ///< about the number of vector instructions

  /// Whether the value depends on no other value, and costs little to compute again.
  bool isLeaf() const { return operands.empty(); }
};

struct GraphPack {
  unsigned value, tile;
};

struct SectionGraph {
  llvm::SmallVector<mlir::Operation *> ops;     ///< the ops of the section, in order
  llvm::SmallVector<mlir::Operation *> hoisted; ///< ops among them that compute indices
  llvm::SmallVector<GraphTile> tiles;
  llvm::SmallVector<GraphValue> values;
  llvm::SmallVector<GraphPack> packs;
  int steps = 0;     ///< number of device calls
  int registers = 0; ///< DST registers below this number are used
};

/// Returns the graph of the section that `acquire` begins. Returns nothing if the section
/// has branches or loops, an op without lane function, a register that is no constant, or
/// a call that faults whatever the buffers hold.
std::optional<SectionGraph> buildSectionGraph(mlir::tt::ttkernel::TileRegsAcquireOp acquire);

} // namespace ttjit::tollvm

#endif // TTJIT_PASSES_LLVM_SECTIONGRAPH_H
