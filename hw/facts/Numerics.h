//===- Numerics.h - numeric modes and fidelity ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_NUMERICS_H
#define TTJIT_HW_FACTS_NUMERICS_H

#include "hw/facts/TileOps.h"

#include <cstdint>
#include <string_view>

namespace ttjit::hw {

/// The arithmetic of tile kernels. Host: IEEE, DST holds fp32, denormals are kept, and only pack
/// rounds. Device: the hardware's widths, phases and roundings.
enum class NumericMode : uint8_t { Host, Device };

/// Number of phases in which the matrix engine multiplies. The numbers are those of
/// tt-metal's `MathFidelity`.
enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

constexpr int numPhases(MathFidelity fidelity) {
  return fidelity == MathFidelity::LoFi ? 1 : static_cast<int>(fidelity);
}

/// The settings on which the bits of tile arithmetic depend. In mode Host, only `mode` matters.
struct NumericConfig {
  NumericMode mode = NumericMode::Host;
  bool isWormhole = true; ///< else Blackhole
  bool dst32 = false;     ///< DST holds fp32, else 16 bits
  MathFidelity fidelity = MathFidelity::HiFi4;
  bool approximate = false;   ///< math_approx_mode
  bool halves = false;        ///< tiles are float16: exponents in the registers have 5 bits
  bool preciseBlocks = false; ///< bfp8_pack_precise: block floats are rounded once

  bool operator==(const NumericConfig &) const = default;
};

/// Returns whether mode Device computes the row with the card's bits. Other rows are computed in
/// mode Host, and their results are stored in the card's way.
constexpr bool isModelled(TileOp op) {
  switch (op) {
#define DEVICE_UNARY(Id, name) case TileOp::Id:
#define DEVICE_UNARY_PARAM(Id, name, params) case TileOp::Id:
#define DEVICE_UNARY_INT(Id, name) case TileOp::Id:
#define DEVICE_BINARY(Id, name) case TileOp::Id:
#define DEVICE_TERNARY(Id, name) case TileOp::Id:
#define DEVICE_INTEGER(Id) case TileOp::Id:
#include "hw/facts/DeviceOps.def"
    return true;
  default:
    return false;
  }
}

/// Returns whether a modelled row reads or makes integers. Such rows need DST registers of 32 bits:
/// 16 bits cannot hold integers, and the unpacker does not widen narrower ones.
constexpr bool usesIntegers(TileOp op) {
  switch (op) {
#define DEVICE_INTEGER(Id) case TileOp::Id:
#include "hw/facts/DeviceOps.def"
  case TileOp::FloatToInt32:
  case TileOp::FloatToUInt32:
  case TileOp::Int32ToFloat:
  case TileOp::UInt32ToFloat:
  case TileOp::DivInt32:
  case TileOp::FloorDivInt32:
  case TileOp::ModInt32:
    return true;
  default:
    return false;
  }
}

/// isModelled and usesIntegers for a function that only kernels in C++ have.
constexpr bool isModelled(std::string_view function) {
#define VECTOR_FUNCTION(name)                                                                      \
  if (function == name)                                                                            \
    return true;
#define VECTOR_FUNCTION_INT VECTOR_FUNCTION
#include "hw/facts/VectorFunctions.def"
  return false;
}
constexpr bool usesIntegers(std::string_view function) {
#define VECTOR_FUNCTION_INT(name)                                                                  \
  if (function == name)                                                                            \
    return true;
#include "hw/facts/VectorFunctions.def"
  return false;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_NUMERICS_H
