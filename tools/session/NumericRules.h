//===- NumericRules.h - what is unknown of the card's arithmetic ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rules apply to kernels of the language, whose operations are known when they are compiled,
// and to kernels in C++, whose operations are known when they run.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_NUMERICRULES_H
#define TTJIT_TOOLS_SESSION_NUMERICRULES_H

#include "hw/device/Program.h"
#include "hw/facts/TileOps.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::session {

/// The settings that determine how the registers of a thread hold the tiles that it reads.
struct NumericRegisters {
  bool areWide;  ///< 32 bits
  bool areMixed; ///< whether the program has tiles whose exponents always have 8 bits
};

/// What an operation computes.
struct NumericUse {
  enum Kind : uint8_t {
    Other,
    Product, ///< of matrices
    Sum,     ///< reductions
    Maximum,
    Move, ///< a broadcast or a transpose
    AccumulatingPack
  } kind = Other;
  std::optional<hw::TileOp> row; ///< the row of TileOps.def
  /// The formats of the tiles in L1 that the operation reads or packs, operands first.
  std::vector<hw::DataFormat> formats;
  /// Whether it computes with UInt16 as the unpacker wrote it, without a typecast that widens it.
  bool readsNarrow = false;
  std::string function = {}; ///< name of a function that only kernels in C++ have
};

/// Returns whether the format always has exponents of 8 bits in source registers.
bool hasWideExponents(hw::DataFormat format);
/// Returns whether the program has a buffer of a wanted format.
bool hasTilesOf(const hw::Program &program, bool (*isWanted)(hw::DataFormat));

/// Returns the parts of the operation that are not modelled, as text for messages.
std::vector<std::string> unknownParts(const NumericUse &use, const NumericRegisters &registers);

/// Returns "the card's result of WHAT is not known", and what a launch does instead.
std::string unknownWarning(const std::string &what);
std::string unknownError(const std::string &what);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_NUMERICRULES_H
