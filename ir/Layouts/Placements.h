//===- Placements.h - tensors that are cut over a mesh of chips -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A placement says for each axis of a mesh which dimension of a tensor it cuts. The way from one
// placement to another one is a list of collectives, each of which changes one axis. #ttl.placement
// and ttl.dist of Python share these functions.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LAYOUTS_PLACEMENTS_H
#define TTJIT_IR_LAYOUTS_PLACEMENTS_H

#include "ir/Layouts/Layout.h"

#include <string_view>
#include <vector>

namespace ttjit::layouts {

/// What an axis of a mesh does instead of cutting a dimension.
inline constexpr int64_t kReplicated = -1; ///< all chips of the axis have the same elements
inline constexpr int64_t kPartial = -2;    ///< the elements are the sum over the axis

struct MeshPlacement {
  Shape mesh; ///< extents, at least 1
  Shape dims; ///< for each axis a dimension, kReplicated or kPartial

  bool operator==(const MeshPlacement &) const = default;
};

/// Returns the number of parts of each dimension. The dimensions of the placement are below `rank`.
Shape partsOf(const MeshPlacement &placement, size_t rank);

/// Returns the shape of each part; nothing if the parts of a dimension are not equal.
std::optional<Shape> localShape(const MeshPlacement &placement, llvm::ArrayRef<int64_t> shape);

/// A collective along one axis of the mesh.
struct CollectiveStep {
  std::string_view function; ///< of ttl.ccl: "all_gather"
  int64_t axis = 0;
  int64_t before = 0, after = 0; ///< what the axis cuts: a dimension, kReplicated or kPartial
  int64_t bytes = 0;             ///< that each chip sends in a ring
};

/// A tensor whose parts are equal in both placements, which have one mesh.
struct Redistribution {
  Shape shape;
  int64_t elementBytes = 1;
  MeshPlacement before, after;
};

/// Returns the steps that send the fewest bytes, and of these the fewest steps; nothing if there is
/// no way, because sums cannot become partial again.
std::optional<std::vector<CollectiveStep>> cheapestSteps(const Redistribution &redistribution);

/// Returns "all_to_all(dim 0 to 1, axis 0), 4096 bytes".
std::string textOf(const CollectiveStep &step);

} // namespace ttjit::layouts

#endif // TTJIT_IR_LAYOUTS_PLACEMENTS_H
