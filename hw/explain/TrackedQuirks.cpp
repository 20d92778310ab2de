//===- TrackedQuirks.cpp - surprising results of an operation -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/ErrorTracker.h"

#include "hw/tile/TileMath.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

static bool isSmallOrMinusZero(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL || (value == 0 && std::signbit(value));
}

// Notes the quirks of a tile `before` that the packer, or a copy to DST, has changed to `after`.
void ErrorTracker::noteStoredQuirks(const TileUse &use, const float *before, const float *after) {
  SourceLocation location = names.location(use.loc);
  std::string place = nameOf(use);
  for (int i = 0; i < kTileElements; ++i) {
    auto add = [&](QuirkKind kind) { allQuirks.add(kind, location, place, i); };
    if (std::isnan(before[i]) && std::isinf(after[i]))
      add(QuirkKind::NaNIsInfinite);
    else if (before[i] == 0 && std::isinf(after[i]))
      add(QuirkKind::MinusZero);
    else if (std::isfinite(before[i]) && std::isinf(after[i]))
      add(QuirkKind::Overflow);
    else if (isSmallOrMinusZero(before[i]) && after[i] == 0 && !std::signbit(after[i]))
      add(QuirkKind::SmallLost);
  }
}

// Returns which of the tiles in L1 is in SrcA: the second one for a product of matrices.
static size_t tileInSrcA(const TileUse &use) {
  return withoutDims(use.result) == ResultKind::Product ? 1 : 0;
}

static bool usesLastBit(float value) { return std::bit_cast<uint32_t>(value) & 0x2000; }

void ErrorTracker::noteMatrixQuirks(const Operation &operation, const Reals &onDevice) {
  const TileUse &use = operation.use;
  SourceLocation location = names.location(use.loc);
  const ReadTile &first = operation.reads.front(), &inA = operation.reads[tileInSrcA(use)];
  bool multiplies = withoutDims(use.result) != ResultKind::ByElement ||
                    static_cast<TileOp>(use.call.row) == TileOp::Mul;
  bool isMax = withoutDims(use.result) == ResultKind::Reduced &&
               static_cast<Pool>(use.call.number) == Pool::Max;
  bool isTf32 = arithmeticOf(operation.use).config.dst32 && inA.format == DataFormat::Float32 &&
                multiplies && !isMax;
  for (int i = 0; i < kTileElements; ++i) {
    auto at = static_cast<size_t>(i);
    float result = use.values[i];
    bool overflows = std::fabs(onDevice[at]) > 0x1.fffffep127;
    if (isTf32 && usesLastBit(inA.tile.device[at]))
      allQuirks.add(QuirkKind::LastBit, location, inA.name, i);
    if (overflows && std::isfinite(result))
      allQuirks.add(QuirkKind::InfinityLost, location, first.name, i);
    if (std::isnan(onDevice[at]) && !std::isnan(result))
      allQuirks.add(QuirkKind::InvalidIsFinite, location, first.name, i);
  }
}

//===--------------------------------------------------------------------------===//
// The other architecture
//===--------------------------------------------------------------------------===//

// Computes a row of TileOps.def on the vector engine from the operands in `in`.
static void computeRow(const TileKernels &tiles, const TileCall &call,
                       const std::vector<TrackedTile> &in, float *out) {
  auto op = static_cast<TileOp>(call.row);
  auto data = [&](size_t i) { return in[i].device.data(); };
  std::copy_n(data(0), kTileElements, out);
  switch (factsOf(op).kind) {
  case TileOpKind::Unary:
    return tiles.unary(op, out);
  case TileOpKind::UnaryParam:
    return tiles.unaryParam(op, out, call.numbers);
  case TileOpKind::UnaryInt:
    return tiles.unaryInt(op, out, call.number);
  case TileOpKind::Binary:
  case TileOpKind::Mask:
    return tiles.binary(op, data(0), data(1), out);
  case TileOpKind::Ternary:
    return tiles.ternary(op, data(0), data(1), data(2), out);
  }
}

// Computes the operation in the way of the other chip. Returns false if that way is not known.
bool ErrorTracker::computeOnOther(const Operation &operation, float *out) const {
  const TileUse &use = operation.use;
  const std::vector<ReadTile> &reads = operation.reads;
  const TileKernels &other = *arithmeticOf(use).onOtherChip;
  auto bytes = [&](size_t i) { return reads[i].bytes.data(); };
  bool isFresh = operation.registers.empty();
  if (!isFresh && !reads.empty())
    std::copy_n(operation.registers[0].device.data(), kTileElements, out);
  ResultKind kind = withoutDims(use.result);
  if (kind == ResultKind::Product) {
    other.matmulStored(reads[0].format, bytes(0), reads[1].format, bytes(1), out, isFresh);
  } else if (kind == ResultKind::Reduced) {
    const std::byte *tiles[] = {bytes(0)};
    other.reduceStored(static_cast<Pool>(use.call.number), dimsOf(use.result), reads[0].format,
                       tiles, reads[1].format, bytes(1), out, isFresh);
  } else if (use.call.isMatrix && reads.size() == 2 && kind == ResultKind::ByElement) {
    alignas(64) float a[kTileElements], b[kTileElements];
    other.matrix(static_cast<TileOp>(use.call.row), other.operand(reads[0].format, bytes(0), a),
                 other.operand(reads[1].format, bytes(1), b), out, isFresh);
  } else if (use.call.row >= 0 && !use.call.isMatrix && reads.empty()) {
    computeRow(other, use.call, operation.registers, out);
  } else {
    return false;
  }
  return true;
}

static std::string describeOperation(const TileUse &use) {
  ResultKind kind = withoutDims(use.result);
  if (kind == ResultKind::Product)
    return "a product of matrices";
  if (kind == ResultKind::Reduced)
    return static_cast<Pool>(use.call.number) == Pool::Max ? "'reduce_max'" : "'reduce_sum'";
  std::string name = std::string("'") + factsOf(static_cast<TileOp>(use.call.row)).name;
  return name + (use.call.isMatrix ? "_tiles'" : "'");
}

void ErrorTracker::compareChips(const Operation &operation) {
  const TileUse &use = operation.use;
  alignas(64) float out[kTileElements] = {};
  if (!computeOnOther(operation, out))
    return;
  SourceLocation location = names.location(use.loc);
  bool isMatrix = !operation.reads.empty();
  std::string place = isMatrix ? operation.reads.front().name : nameOf(use);
  for (int i = 0; i < kTileElements; ++i) {
    if (std::bit_cast<uint32_t>(out[i]) == std::bit_cast<uint32_t>(use.values[i]))
      continue;
    if (otherOperation.empty())
      otherOperation = describeOperation(use);
    allQuirks.add(QuirkKind::OtherChip, location, place, i);
    if (isMatrix && arithmeticOf(operation.use).config.isWormhole)
      allQuirks.add(QuirkKind::Normaliser, location, place, i);
  }
}

const Quirk *ErrorTracker::otherChip() const {
  auto it = std::ranges::find(allQuirks.all(), QuirkKind::OtherChip, &Quirk::kind);
  return it == allQuirks.all().end() ? nullptr : &*it;
}
