//===- FormatNumber.h - numbers as Python writes them ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The text of a kernel's numbers: that of Python's str() and format(). A float is the
// shortest text that reads back as the same fp32; a format specification applies to the
// fp32 value, which is exact as Python's float.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_FORMATNUMBER_H
#define TTJIT_HW_DEVICE_FORMATNUMBER_H

#include "hw/facts/FormatText.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ttjit::hw {

/// Returns str(number). `kind` is 'i', 'f' or 'b' for an int32, fp32 or bool.
std::string numberText(char kind, uint32_t bits);

/// Returns format(number, spec). `field` has the spec; checkField() must have accepted it.
std::string formatNumber(char kind, uint32_t bits, const FormatPiece &field);

/// Returns a format string with its numbers: a letter of `kinds` and a word of `values` for each.
std::string formatText(std::string_view text, std::string_view kinds, const uint32_t *values);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_FORMATNUMBER_H
