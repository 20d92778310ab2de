//===- NumericRules.h - what of the card's arithmetic is not known --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rules for kernels of the language, whose operations are known when they are compiled, and for
// kernels in C++, whose operations are known when they run.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_NUMERICRULES_H
#define TTJIT_TOOLS_SESSION_NUMERICRULES_H

#include "hw/device/Program.h"
#include "hw/facts/TileOps.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::session {

/// What decides how the registers of a thread hold the tiles that it reads.
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
  /// Of the tiles in L1 that it reads or packs, operands first.
  std::vector<hw::DataFormat> formats;
  /// Whether it computes with UInt16 as the unpacker wrote it: no typecast has widened it.
  bool readsNarrow = false;
  std::string function = {}; ///< name of a function that only kernels in C++ have
};

/// Whether elements of the format have exponents of 8 bits in source registers, in every program.
bool hasWideExponents(hw::DataFormat format);
/// Whether the program has a buffer of the format.
bool hasTilesOf(const hw::Program &program, bool (*isWanted)(hw::DataFormat));

/// Returns what of the operation is not modelled, as text for messages.
std::vector<std::string> unknownParts(const NumericUse &use, const NumericRegisters &registers);

/// "the card's result of WHAT is not known", and what a launch does with it.
std::string unknownWarning(const std::string &what);
std::string unknownError(const std::string &what);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_NUMERICRULES_H
