//===- device_print.h - prints with a format text -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DEVICE_PRINT("{} of {:x}\n", a, b) prints each value at the next place {}. A place may have a
// type, x (hexadecimal), o, d, u or f, and a precision: {:.3f}. {{ and }} print a brace.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/debug.h"

namespace ttjit::metalium::print {
/// Prints the text up to the next place for a value. Returns the text after that place's opening
/// brace; null if there is no place.
inline const char *printText(Stream &stream, const char *text) {
  for (; *text; ++text) {
    bool isDouble = (*text == '{' || *text == '}') && text[1] == *text;
    if (*text == '{' && !isDouble)
      return text + 1;
    stream << *text;
    text += isDouble ? 1 : 0;
  }
  return nullptr;
}

/// Reads what is between the braces of a place. Returns the text after the place.
inline const char *readPlace(Stream &stream, const char *text) {
  int32_t precision = -1;
  bool isFixed = false;
  stream << Base{10};
  for (; *text && *text != '}'; ++text) {
    if (*text == 'x' || *text == 'o')
      stream << Base{*text == 'x' ? 16 : 8};
    else if (*text == '.')
      precision = 0;
    else if (precision >= 0 && *text >= '0' && *text <= '9')
      precision = precision * 10 + (*text - '0');
    else if (*text == 'f')
      isFixed = true;
    else
      failIf(*text != ':' && *text != 'd' && *text != 'u',
             "DEVICE_PRINT: the host knows the places {}, {:x}, {:o}, {:d}, {:u}, {:f} and {:.3f}");
  }
  failIf(!*text, "DEVICE_PRINT: a { has no }; {{ prints a brace");
  constexpr int32_t kUsual = 6; // digits of {:f}
  stream << Fixed{isFixed} << Precision{isFixed && precision < 0 ? kUsual : precision};
  return text + 1;
}

inline void format(Stream &stream, const char *text) {
  failIf(printText(stream, text) != nullptr, "DEVICE_PRINT: the text has a place without a value");
}
template <typename Value, typename... Values>
inline void format(Stream &stream, const char *text, const Value &value, const Values &...rest) {
  const char *place = printText(stream, text);
  failIf(!place, "DEVICE_PRINT: there are more values than places in the text");
  if (!place)
    return;
  const char *next = readPlace(stream, place);
  stream << value;
  format(stream, next, rest...);
}
} // namespace ttjit::metalium::print

#define DEVICE_PRINT(...)                                                                          \
  do {                                                                                             \
    ttjit::metalium::print::Stream ttjit_stream;                                                   \
    ttjit::metalium::print::format(ttjit_stream, __VA_ARGS__);                                     \
  } while (false)
