//===- ErrorTracker.h - follows the errors of a run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Listens to a run in device numerics. For each tile operation it gets the card's operands and
// result. It computes the operation in fp64, divides the difference by cause, and follows the tile
// in all lanes (TrackedTile.h) through registers, blocks, copies and tensors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_ERRORTRACKER_H
#define TTJIT_HW_EXPLAIN_ERRORTRACKER_H

#include "hw/check/PlaceNames.h"
#include "hw/check/PlacedTiles.h"
#include "hw/explain/Combine.h"
#include "hw/explain/ExactTiles.h"
#include "hw/explain/Quirks.h"

#include <set>

namespace ttjit::hw {
struct TileKernels; // defined in hw/tile/TileMath.h
} // namespace ttjit::hw

namespace ttjit::hw::explain {

/// An operation whose errors are not followed, and its position.
struct UnfollowedOperation {
  std::string what;
  SourceLocation location;
};

class ErrorTracker : public EventListener {
public:
  /// `configs` has the configuration of each node, or one for all.
  explicit ErrorTracker(const std::vector<NumericConfig> &configs);

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;
  bool wantsTiles() const override { return true; }
  void onTile(const TileUse &use) override;

  const Lanes &lanes() const { return allLanes; }
  const Quirks &quirks() const { return allQuirks; }
  /// Returns one entry for each position whose errors are not followed.
  const std::vector<UnfollowedOperation> &unfollowed() const { return lost; }
  /// Returns the tile that the kernel packed at a place; null if there is none.
  const TrackedTile *find(const MemoryPlace &place) { return places.find(place); }
  /// The first operation whose result differs on the other architecture; null if there is none.
  const Quirk *otherChip() const;
  /// The name of that operation, such as "'recip'".
  const std::string &otherChipOperation() const { return otherOperation; }

private:
  struct ReadTile {
    TrackedTile tile;
    DataFormat format;
    std::vector<std::byte> bytes;
    std::string name;
  };
  struct Thread {
    std::vector<TrackedTile> registers;
    std::vector<ReadTile> reads;
  };
  /// An operation with its operands: the tiles in L1 first, then the registers.
  struct Operation {
    const TileUse &use;
    std::vector<ReadTile> reads;
    std::vector<TrackedTile> registers;

    std::vector<const TrackedTile *> operands() const;
  };

  /// The arithmetic of a node, and the kernels of the other chip.
  struct Arithmetic {
    NumericConfig config;
    SourceRegisters sources;
    const TileKernels *onOtherChip;
  };
  const Arithmetic &arithmeticOf(const TileUse &use) const {
    return ofNode[ofNode.size() == 1 ? 0 : use.agent / kThreadsPerNode];
  }

  void read(const TileUse &use);
  void compute(const TileUse &use);
  void pack(const TileUse &use);
  TrackedTile resultOf(const Operation &operation);
  TrackedTile constantOf(const Operation &operation);
  TrackedTile movedTile(const Operation &operation, const ExactOperation &move);
  TrackedTile productOf(const Operation &operation);
  TrackedTile matrixOf(const Operation &operation);
  TrackedTile reductionOf(const Operation &operation);
  TrackedTile vectorOf(const Operation &operation);
  TrackedTile integersOf(const Operation &operation) const;
  TrackedTile lose(const TileUse &use, const std::string &what);
  TrackedTile finish(const Operation &operation, ObservedOperation observed);
  std::vector<ErrorPart> vectorParts(const TileUse &use, const Reals &onDevice) const;
  void compareChips(const Operation &operation);
  bool computeOnOther(const Operation &operation, float *out) const;
  void noteMatrixQuirks(const Operation &operation, const Reals &onDevice);
  void noteStoredQuirks(const TileUse &use, const float *before, const float *after);
  int lineOf(const TileUse &use);
  std::string nameOf(const TileUse &use) const;
  TrackedTile &registerOf(const TileUse &use, int32_t number);
  void overwrite(const MemoryPlace &place, const SourceLocation &location);

  std::vector<Arithmetic> ofNode; ///< one, or one for each node
  check::PlaceNames names;
  const Program *program = nullptr;
  Lanes allLanes;
  Quirks allQuirks;
  std::vector<Thread> threads; ///< by agent
  check::PlacedTiles<TrackedTile> places;
  std::vector<UnfollowedOperation> lost;
  std::string otherOperation; ///< the first with another result on the other architecture
};

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_ERRORTRACKER_H
