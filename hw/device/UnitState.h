//===- UnitState.h - what the units of a core are set up for --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The card's unpackers, matrix engine, vector unit and packer keep what the last init has set. An
// operation under the init of another one has wrong results or hangs on the card. The emulated
// device computes the right result in any case, so hw/calls/UnitApi.cpp checks that each operation
// of a kernel in C++ runs under its own init. Kernels that are lowered from IR contain no inits on
// the host, and are not checked.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_UNITSTATE_H
#define TTJIT_HW_DEVICE_UNITSTATE_H

#include "hw/facts/DataFormat.h"
#include "hw/facts/UnitOp.h"

#include <array>
#include <optional>

namespace ttjit::hw {

/// What a source register or the packer is configured for.
struct UnitDataFormat {
  DataFormat format = DataFormat::Float32;
  bool isUnpackedToDst = false; ///< of Float32; else SrcA and SrcB hold TF32

  bool operator==(const UnitDataFormat &) const = default;
};

struct UnitState {
  /// A setting and the position of the call that made it.
  template <typename T> struct Setting {
    T value{};
    uint32_t loc = 0;
  };

  Setting<const char *> start; ///< the call that configured the hardware; null: none did
  Setting<uint32_t> program;   ///< unitProgram() of the last init
  /// The program whose uninit must still be called; None if no uninit is due.
  Setting<uint32_t> due;
  Setting<const char *> sfpuInit; ///< name of the last init of the vector unit; null: none
  const char *sfpuCall = nullptr; ///< name of the last function of the vector unit
  std::array<Setting<std::optional<UnitDataFormat>>, kNumUnitFormats> formats;

  bool isWholeSection = false;        ///< whether acquire_dst began the DST section
  std::array<float, 32> columnSums{}; ///< of the columns that cumsum_tile has added up
  uint64_t randomState = 0;           ///< of rand_tile
  uint32_t number = 0;                ///< that an init has set for later calls of its function
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_UNITSTATE_H
