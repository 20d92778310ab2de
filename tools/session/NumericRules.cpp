//===- NumericRules.cpp - what is unknown of the card's arithmetic ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/NumericRules.h"

#include "hw/facts/Numerics.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::session;

using hw::DataFormat;

static bool readsAny(const NumericUse &use, bool (*isWanted)(DataFormat)) {
  return std::ranges::any_of(use.formats, isWanted);
}

static bool isFloat16(DataFormat format) { return format == DataFormat::Float16; }
static bool isUInt8(DataFormat format) { return format == DataFormat::UInt8; }
static bool isWideInteger(DataFormat format) {
  return hw::isIntegerFormat(format) && format != DataFormat::UInt16 && !isUInt8(format);
}
// Returns whether both operands of a product are bytes. A third format, of the sum, may follow.
static bool multipliesBytes(const NumericUse &use) {
  return use.formats.size() >= 2 && isUInt8(use.formats[0]) && isUInt8(use.formats[1]);
}
static bool hasIntegers(const NumericUse &use) {
  return !use.formats.empty() && hw::isIntegerFormat(use.formats.front());
}
static bool isReduction(const NumericUse &use) {
  return use.kind == NumericUse::Sum || use.kind == NumericUse::Maximum;
}
static std::string quoted(const std::string &name) { return "'" + name + "'"; }

// Returns the name of the row or of the function in quotes.
static std::string nameOf(const NumericUse &use) {
  return quoted(use.row ? hw::factsOf(*use.row).name : use.function);
}
static bool computesIntegers(const NumericUse &use) {
  return use.row ? hw::usesIntegers(*use.row) : hw::usesIntegers(use.function);
}

bool session::hasWideExponents(DataFormat format) {
  return format == DataFormat::Float16_b || hw::isBlockFloat(format);
}

bool session::hasTilesOf(const hw::Program &program, bool (*isWanted)(DataFormat)) {
  return std::ranges::any_of(program.buffers,
                             [&](const auto &buffer) { return isWanted(buffer.format); });
}

// Returns the operation if it is not modelled, at all or for these formats; otherwise empty.
static std::string unknownOperation(const NumericUse &use) {
  if (use.row ? !hw::isModelled(*use.row) : !use.function.empty() && !hw::isModelled(use.function))
    return nameOf(use);
  if (use.kind == NumericUse::Product)
    return hasIntegers(use) && !multipliesBytes(use) ? "products of integers of more than 8 bits"
                                                     : "";
  if (isReduction(use))
    return hasIntegers(use) ? "reductions of integers" : "";
  if (use.kind != NumericUse::AccumulatingPack)
    return "";
  DataFormat format = use.formats.front();
  bool isKnown = hw::isFloatFormat(format) && !hw::isBlockFloat(format);
  return isKnown ? "" : std::string("accumulation in L1 of ") + hw::formatName(format);
}

// In an fp32 DST, reductions, broadcasts and transposes of Float16 take a path that is known for
// other formats only.
static std::string unknownHalves(const NumericUse &use, const NumericRegisters &registers) {
  if (!readsAny(use, isFloat16))
    return "";
  if (registers.areMixed)
    return "tiles of Float16 beside tiles with exponents of 8 bits";
  if (use.kind == NumericUse::Maximum)
    return "maxima of Float16";
  bool moves = isReduction(use) || use.kind == NumericUse::Move;
  return registers.areWide && moves
             ? "reductions, broadcasts and transposes of Float16 in registers of 32 bits"
             : "";
}

// Returns the elements that the registers would not hold as device numerics do; otherwise empty.
static std::string unknownElements(const NumericUse &use, const NumericRegisters &registers) {
  if (std::string what = unknownHalves(use, registers); !what.empty())
    return what;
  if (!registers.areWide && readsAny(use, isWideInteger))
    return "integers of 32 bits in registers of 16 bits";
  if (!registers.areWide && use.kind == NumericUse::Product && readsAny(use, isUInt8))
    return "products of UInt8 in registers of 16 bits";
  if (!computesIntegers(use))
    return "";
  if (!registers.areWide)
    return nameOf(use) + " in registers of 16 bits";
  return use.readsNarrow ? nameOf(use) + " of UInt16 that no typecast_tile widened" : "";
}

std::vector<std::string> session::unknownParts(const NumericUse &use,
                                               const NumericRegisters &registers) {
  std::vector<std::string> parts{unknownOperation(use), unknownElements(use, registers)};
  std::erase(parts, "");
  return parts;
}

std::string session::unknownWarning(const std::string &what) {
  return fmt::format("the card's result of {} is not known; it is computed as with "
                     "--numerics=host and stored as the card stores it",
                     what);
}

std::string session::unknownError(const std::string &what) {
  return fmt::format("--strict: the card's result of {} is not known, so --numerics=device cannot "
                     "compute it",
                     what);
}
