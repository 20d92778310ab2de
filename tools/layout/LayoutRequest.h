//===- LayoutRequest.h - reads the arguments of ttl-jit layout ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_LAYOUT_LAYOUTREQUEST_H
#define TTJIT_TOOLS_LAYOUT_LAYOUTREQUEST_H

#include "hw/facts/Arch.h"
#include "ir/Layouts/Grids.h"
#include "ir/Layouts/Position.h"
#include "ir/TTCore/TTCoreLayouts.h"

#include <string>
#include <vector>

namespace ttjit::layout {

/// The arguments of the command as they were given. An argument that is missing is empty.
struct LayoutWords {
  std::string layout; ///< an attribute, a tensor type or a shape
  std::string at, grid, view, dtype, svg;
  std::optional<hw::ArchDesc> arch;
  bool rowMajor = false;
};

/// A tensor of the device, and one of its elements.
struct LayoutRequest {
  layouts::PlacedLayout placement;
  mlir::tt::ttcore::MetalLayoutAttr attribute;
  mlir::Type element; ///< of the tensor type: a tile or a scalar
  hw::DataFormat format = hw::DataFormat::Float32;
  hw::ArchDesc arch = hw::defaultArch();
  bool choseGrid = false;
  layouts::Shape at;   ///< the element
  layouts::Shape view; ///< another grid for the same storage; empty: none

  layouts::Shape device() const { return {arch.gridY, arch.gridX}; }
  bool isSharded() const {
    return attribute.getMemoryLayout() == mlir::tt::ttcore::TensorMemoryLayout::Sharded;
  }
  bool isOnHost() const {
    return attribute.getMemorySpace() == mlir::tt::ttcore::MemorySpace::System;
  }
  /// Whether the bytes are in shards of cores, not in pages or on the host.
  bool hasShards() const { return isSharded() && !isOnHost(); }
  /// Returns the core of a point of the tensor's grid; nothing if the device has too few cores.
  std::optional<layouts::Shape> coreOf(llvm::ArrayRef<int64_t> point) const;
};

/// A mistake of the user: in the text of the layout, or in another word.
struct LayoutMistake {
  std::string message;
  int line = 1, column = 1; ///< in the text of the layout
  bool isUsage = false;
};

/// Reads the words. On failure returns nothing and sets `mistake`.
std::optional<LayoutRequest> readLayout(const LayoutWords &words, mlir::MLIRContext &context,
                                        LayoutMistake &mistake);

} // namespace ttjit::layout

#endif // TTJIT_TOOLS_LAYOUT_LAYOUTREQUEST_H
