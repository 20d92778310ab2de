//===- TimeCosts.h - what operations cost on the chips --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The table of hw/facts/TimeCosts.def as constants. Times are in hundredths of a cycle, so that
// sums are exact and equal on every host.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TIMECOSTS_H
#define TTJIT_HW_FACTS_TIMECOSTS_H

#include <cstdint>
#include <string_view>

namespace ttjit::hw {

/// Hundredths of a cycle.
using Ticks = int64_t;
inline constexpr Ticks kTicksPerCycle = 100;

/// Rounds a figure of the table, which has at most two decimals.
constexpr Ticks ticksOf(double cycles) {
  return static_cast<Ticks>(cycles * kTicksPerCycle + (cycles < 0 ? -0.5 : 0.5));
}

/// The origin of a figure; TimeCosts.def explains the letters.
struct CostOrigin {
  char confidence;
  std::string_view source;
};

enum class TimeCost : uint8_t {
#define TIME_COST(Id, wormhole, blackhole, confidence, source) Id,
#include "hw/facts/TimeCosts.def"
};

struct TimeCostRow {
  std::string_view name;
  double wormhole, blackhole;
  CostOrigin origin;
};
inline constexpr TimeCostRow kTimeCosts[] = {
#define TIME_COST(Id, wormhole, blackhole, confidence, source)                                     \
  {#Id, wormhole, blackhole, {confidence, source}},
#include "hw/facts/TimeCosts.def"
};

/// Cycles of a call of the matrix engine: `math`, and `phase` for each fidelity phase.
struct MatrixCostRow {
  std::string_view name;
  double unpack[2], math[2], phase[2]; ///< Wormhole, Blackhole
  CostOrigin origin;
};
inline constexpr MatrixCostRow kMatrixCosts[] = {
#define TIME_FPU(name, unpackWH, unpackBH, mathWH, mathBH, phaseWH, phaseBH, confidence, source)   \
  {#name, {unpackWH, unpackBH}, {mathWH, mathBH}, {phaseWH, phaseBH}, {confidence, source}},
#include "hw/facts/TimeCosts.def"
};

struct VectorCostRow {
  std::string_view name;
  double cycles[2]; ///< Wormhole, Blackhole
  CostOrigin origin;
};
inline constexpr VectorCostRow kVectorCosts[] = {
#define TIME_SFPU(name, wormhole, blackhole, confidence, source)                                   \
  {#name, {wormhole, blackhole}, {confidence, source}},
#include "hw/facts/TimeCosts.def"
};

/// Cycles that a tile operation of the vector engine takes if the table has no row for it.
inline constexpr double kUnknownVectorCycles = 600;

struct PackCostRow {
  std::string_view format;
  double from16[2], from32[2]; ///< Wormhole, Blackhole
  CostOrigin origin;
};
inline constexpr PackCostRow kPackCosts[] = {
#define TIME_PACK(format, wormhole, blackhole, wormhole32, blackhole32, confidence, source)        \
  {#format, {wormhole, blackhole}, {wormhole32, blackhole32}, {confidence, source}},
#include "hw/facts/TimeCosts.def"
};

struct InitCostRow {
  std::string_view name;
  double unpack, math, pack;
  CostOrigin origin;
};
inline constexpr InitCostRow kInitCosts[] = {
#define TIME_INIT(name, unpack, math, pack, confidence, source)                                    \
  {#name, unpack, math, pack, {confidence, source}},
#include "hw/facts/TimeCosts.def"
};

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TIMECOSTS_H
