//===- Numerics.h - numeric modes and fidelity ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_NUMERICS_H
#define TTJIT_HW_FACTS_NUMERICS_H

#include <cstdint>

namespace ttjit::hw {

/// The arithmetic that tile kernels imitate. Host: IEEE, DST holds fp32, denormals are
/// kept, and only pack rounds. Device: the hardware's widths, phases and roundings.
enum class NumericMode : uint8_t { Host, Device };

/// Number of phases in which the matrix engine multiplies. The numbers are those of
/// tt-metal's `MathFidelity`.
enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_NUMERICS_H
