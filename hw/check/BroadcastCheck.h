//===- BroadcastCheck.h - finds missing broadcasts ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A reduced tile has elements without a meaning (hw/check/TileContent.h). This check finds those
// that an operation combines with other numbers and whose result reaches a tensor. It follows tiles
// through DST, blocks, copies and tensors. To store a reduced tile as it is, is no mistake.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_BROADCASTCHECK_H
#define TTJIT_HW_CHECK_BROADCASTCHECK_H

#include "hw/check/PlaceNames.h"
#include "hw/check/TilePlaces.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ttjit::hw::check {

/// How many rows and columns of a tile are elements of its tensor; the rest is padding.
struct TileExtent {
  int64_t rows = 32, columns = 32;
};

/// Listens to one run.
class BroadcastCheck : public EventListener {
public:
  /// Returns the extent of the tile at a place of a tensor; nothing if no tensor is there.
  using TensorTile = std::function<std::optional<TileExtent>(const MemoryPlace &)>;

  BroadcastCheck(PlaceNames::TensorName tensorName, TensorTile tensorTile)
      : names(std::move(tensorName)), tensorTile(std::move(tensorTile)) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;
  bool wantsTiles() const override { return true; }
  void onTile(const TileUse &use) override;

  /// Returns one finding for each position. Call it after the run: whether an operation was a
  /// mistake depends on what the kernel does later.
  std::vector<Fault> findings() const;

private:
  /// A tile that the next operation reads from L1.
  struct ReadTile {
    MemoryPlace place;
    const uint8_t *bytes;
    DataFormat format;
  };
  struct Thread {
    std::vector<TileContent> registers;
    std::vector<ReadTile> reads;
  };
  /// A use that has reached a tensor.
  struct Stored {
    std::shared_ptr<MeaninglessUse> use;
    MemoryPlace place;
    uint32_t loc;
  };

  void compute(const TileUse &use);
  void pack(const TileUse &use);
  std::vector<TileContent> operandsOf(const TileUse &use);
  TileContent resultOf(const TileUse &use, std::vector<TileContent> operands);
  TileContent combined(const TileUse &use, const std::vector<TileContent> &operands) const;
  TileContent selected(const TileUse &use, const std::vector<TileContent> &operands) const;
  TileContent reduced(const TileUse &use, const std::vector<TileContent> &operands) const;
  TileContent multiplied(const TileUse &use, const std::vector<TileContent> &operands) const;
  void addSum(const TileUse &use, const TileContent &operand, int axis, TileContent &result) const;
  TileContent &registerOf(const TileUse &use, int32_t number);
  void store(const TileContent &content, const MemoryPlace &place, uint32_t loc);
  Fault explain(const Stored &stored) const;

  PlaceNames names;
  TensorTile tensorTile;
  std::vector<bool> isBacked;  ///< by buffer: whether its memory is a tensor's
  std::vector<Thread> threads; ///< by agent
  TilePlaces places;
  std::vector<Stored> stored;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_BROADCASTCHECK_H
