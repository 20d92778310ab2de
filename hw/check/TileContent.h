//===- TileContent.h - which elements of a tile have a meaning ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A reduction leaves its results in column 0, in row 0 or in element (0, 0) of a tile. The other
// elements have no meaning. An operation that works element by element keeps this: if it combines
// a reduced tile with a whole one, only column 0 of the result has a meaning. That may be what the
// kernel wants. It is not if the kernel uses all columns of the whole tile elsewhere, for example
// to reduce them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_TILECONTENT_H
#define TTJIT_HW_CHECK_TILECONTENT_H

#include "hw/device/Events.h"
#include "hw/facts/TileDims.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ttjit::hw::check {

/// A dimension of a tile. Columns: the innermost, along which column 0 has a reduction's results.
enum Axis : int { Columns = 0, Rows = 1 };
inline constexpr int kNumAxes = 2;

/// Returns whether a reduction or broadcast over `dims` goes along `axis`.
constexpr bool goesAlong(TileDims dims, int axis) {
  return dims == TileDims::Scalar || dims == (axis == Columns ? TileDims::Row : TileDims::Col);
}

/// Where numbers come from that are not results of a reduction: a page of a tensor, a tile that a
/// data movement thread has written, or a product.
struct TileSource {
  bool isProduct = false;
  /// For each axis: whether the kernel uses all elements along it, and these differ.
  std::array<bool, kNumAxes> isWhole{};
};
using TileSources = std::vector<std::shared_ptr<TileSource>>;

/// An operation that used elements without a meaning.
struct MeaninglessUse {
  /// Combines: it combined a reduced tile with another one, element by element. This is a mistake
  /// if all sources of the other one are whole. Sums: it reduced or multiplied elements without a
  /// meaning that are not zero, which is always a mistake.
  enum Kind : uint8_t { Combines, Sums } kind = Combines;
  AgentId agent = 0;
  NodeCoord node;
  uint32_t loc = 0;
  std::array<std::optional<uint32_t>, kNumAxes> reducedAt; ///< positions of the reductions
  std::array<TileSources, kNumAxes> others;                ///< of Combines: those of the other tile

  bool isMistake() const;
};

/// Facts about the elements of a tile that the check has found so far: which have a meaning, and
/// where they come from.
struct TileContent {
  /// Elements of a tile that depend on a MeaninglessUse: those behind the first column or row, or
  /// all of them.
  struct Spread {
    std::shared_ptr<MeaninglessUse> use;
    std::array<bool, kNumAxes> along{};
    bool isEverywhere = false;
  };

  /// For each axis the position of the reduction after which only the first column, or row, has a
  /// meaning.
  std::array<std::optional<uint32_t>, kNumAxes> reducedAt;
  /// The sources of numbers that differ along each axis.
  std::array<TileSources, kNumAxes> sources;
  std::vector<Spread> spreads;

  static TileContent fromSource(std::shared_ptr<TileSource> source);
  bool isReduced() const { return reducedAt[Columns] || reducedAt[Rows]; }
  void addSources(int axis, const TileSources &more);
  void addSpread(const Spread &spread);
  /// Notes that the kernel has used all elements along an axis.
  void setWhole(int axis) const;
  /// Changes the content to that of the tile after a broadcast along an axis.
  void broadcast(int axis);
  void transpose();
  /// Changes the content to that of the sum along an axis. `isHarmless`: elements without a
  /// meaning are zero.
  void reduce(int axis, uint32_t loc, bool isHarmless);
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_TILECONTENT_H
