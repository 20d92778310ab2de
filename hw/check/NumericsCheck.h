//===- NumericsCheck.h - finds where NaN and infinity begin ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An operation with finite inputs may have an infinite or NaN result, and a finite number may be
// too large for the format of a block. Both are reported where they begin, but not where later
// operations read such numbers. Not reported are an infinity that is never stored (as in
// 1 / (1 + exp(x))), one that the kernel writes itself (a constant, mask_posinf), and one in
// elements of a reduced tile that have no meaning.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_NUMERICSCHECK_H
#define TTJIT_HW_CHECK_NUMERICSCHECK_H

#include "hw/check/PlaceNames.h"

#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace ttjit::hw::check {

/// A number in a tile. The index is that of hw/tile/TileShape.h.
struct TileElement {
  int index = 0;
  float value = 0;
};

/// Listens to one run.
class NumericsCheck : public EventListener {
public:
  NumericsCheck() : names([](const MemoryPlace &) { return std::string(); }) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override {}
  bool wantsTiles() const override { return true; }
  void onTile(const TileUse &use) override;

  /// Returns one finding for each position, in the order of the run, at most kMaxFindings.
  const std::vector<Fault> &findings() const { return found; }

private:
  static constexpr size_t kMaxFindings = 8;

  /// Where an infinity or NaN began.
  struct Origin {
    uint32_t loc = 0;
    TileElement element;
  };
  /// Facts about the numbers in a tile that the check has found so far.
  struct Tile {
    std::optional<TileDims> dims; ///< reduced over these: the other elements have no meaning
    bool isInteger = false;       ///< whose bits may look like a NaN
    bool isInfinite = false;
    std::optional<Origin> origin; ///< if it is infinite and nothing has been reported

    /// Adds an operand of the same operation.
    void join(const Tile &other);
  };
  /// A tile in L1 that the next operation reads. Its bytes are looked at only if the result is bad.
  struct ReadTile {
    const uint8_t *bytes;
    DataFormat format;
  };
  struct Thread {
    std::vector<Tile> registers;
    std::vector<ReadTile> reads;
  };

  void compute(const TileUse &use);
  void pack(const TileUse &use);
  /// Joins all inputs of an operation. `infinite`: also looks for infinities in the tiles in L1.
  Tile inputsOf(const TileUse &use, const Thread &thread, bool infinite) const;
  std::optional<TileDims> dimsOf(const ReadTile &tile) const;
  Tile &registerOf(const TileUse &use, int32_t number);
  void reportProduced(const TileUse &use, const Origin &origin);
  void reportOverflow(const TileUse &use, const TileElement &element);
  Fault *addFault(const TileUse &use, uint32_t loc);
  std::string describePlace(const TileUse &use, const TileElement &element) const;

  PlaceNames names;
  const Program *program = nullptr;
  std::vector<Thread> threads;                           ///< by agent
  std::unordered_map<const uint8_t *, TileDims> reduced; ///< tiles in L1
  std::vector<Fault> found;
  std::set<uint32_t> reported; ///< positions
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_NUMERICSCHECK_H
