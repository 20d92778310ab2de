//===- TrackedTile.h - a tile with and without its errors -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The explanation of errors follows each tile in several lanes. A lane is a run of the same kernel
// in fp64 that leaves out some errors of the card: all of them (the reference), those of one cause,
// or those of one line. It keeps the other errors as they were observed.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_TRACKEDTILE_H
#define TTJIT_HW_EXPLAIN_TRACKEDTILE_H

#include "hw/facts/TileOps.h"
#include "hw/tile/TileShape.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ttjit::hw::explain {

/// The elements of a tile, in face order.
using Reals = std::array<double, kTileElements>;

enum class Cause : uint8_t {
  Input,    ///< the unpacker's conversion to a source register or to DST
  Fidelity, ///< bits of factors that take part in no phase
  Dst,      ///< the width of DST, and the order in which the matrix engine adds
  Scaler,   ///< the scaler that a reduction of a whole tile applies twice
  Vector,   ///< a routine of the vector engine, one for each row
  Packer,   ///< the packer's rounding to the format in L1
  Special,  ///< infinities and NaN
};
inline constexpr int kNumCauses = 7;

/// Returns the name of a cause in reports. For the cause Vector, `row` is the TileOp.
std::string causeName(Cause cause, int row);

/// The errors that a lane leaves out.
struct Lane {
  enum Kind : uint8_t { All, OfCause, OfLine } kind = All;
  Cause cause = Cause::Input; ///< OfCause
  int row = -1;               ///< of Cause::Vector
  std::string file;           ///< OfLine
  int line = 0;
};

/// The lanes of a run, numbered in the order in which their first error occurs. Lane 0 leaves out
/// all errors.
class Lanes {
public:
  static constexpr int kReference = 0;

  int ofCause(Cause cause, int row = -1);
  int ofLine(const std::string &file, int line);
  const std::vector<Lane> &all() const { return lanes; }

private:
  template <typename Matches> int find(const Lane &lane, Matches matches);

  std::vector<Lane> lanes{Lane{}};
};

/// A tile: the card's values, and the values of the lanes in which they differ from these.
struct TrackedTile {
  std::array<float, kTileElements> device{};
  std::map<int, std::shared_ptr<const Reals>> lanes;
  bool isInteger = false; ///< whose bits are no floats: no errors are followed

  double at(int lane, int element) const {
    auto it = lanes.find(lane);
    return it == lanes.end() ? static_cast<double>(device[static_cast<size_t>(element)])
                             : (*it->second)[static_cast<size_t>(element)];
  }
  /// Returns all elements in a lane.
  Reals in(int lane) const;
};

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_TRACKEDTILE_H
