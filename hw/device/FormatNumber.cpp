//===- FormatNumber.cpp - numbers as Python writes them -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FormatNumber.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace ttjit::hw {

namespace {

// A number before padding: -0x1234.5e+10 is sign "-", prefix "0x", digits "1234", rest ".5e+10".
struct NumberText {
  std::string sign, prefix, digits, rest;
};

//===--------------------------------------------------------------------------===//
// Floats
//===--------------------------------------------------------------------------===//

// Decimal digits without leading zeros; the value is 0.DIGITS * 10^point.
struct Decimal {
  std::string digits;
  int point = 0;
};

// Reads the text that to_chars makes in scientific notation, such as "1.25e-07".
Decimal decimalOf(std::string_view scientific) {
  size_t exponent = scientific.find('e');
  Decimal result;
  for (char c : scientific.substr(0, exponent))
    if (c != '.')
      result.digits += c;
  int power = 0;
  std::string_view number = scientific.substr(exponent + 1);
  if (number.front() == '+')
    number.remove_prefix(1);
  std::from_chars(number.data(), number.data() + number.size(), power);
  result.point = power + 1;
  return result;
}

constexpr size_t kMaxDigits = 400; // enough for the integer part of a double and any precision

// Returns the value rounded to `count` significant digits, at least 1.
Decimal roundedTo(double value, int count) {
  char text[kMaxDigits];
  auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, count - 1);
  return decimalOf({text, end.ptr});
}

// Returns the fewest digits that read back as this fp32.
Decimal shortest(float value) {
  char text[kMaxDigits];
  auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  return decimalOf({text, end.ptr});
}

// Returns digits [from, to) of the decimal, counted from its point; zeros where it has no digits.
std::string digitsBetween(const Decimal &decimal, int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) {
    int index = i + decimal.point;
    bool isKnown = index >= 0 && index < static_cast<int>(decimal.digits.size());
    text += isKnown ? decimal.digits[static_cast<size_t>(index)] : '0';
  }
  return text;
}

// Writes `places` digits after the point. Writes the point if there are any, or if `point` is true.
NumberText positional(const Decimal &decimal, int places, bool point) {
  NumberText text;
  text.digits = decimal.point > 0 ? digitsBetween(decimal, -decimal.point, 0) : "0";
  if (places > 0 || point)
    text.rest = "." + digitsBetween(decimal, 0, places);
  return text;
}

NumberText scientific(Decimal decimal, int places, bool point) {
  int power = decimal.point - 1;
  decimal.point = 1;
  NumberText text = positional(decimal, places, point);
  std::string digits = std::to_string(std::abs(power));
  text.rest += std::string("e") + (power < 0 ? "-" : "+") + (digits.size() < 2 ? "0" : "") + digits;
  return text;
}

bool isZero(const Decimal &decimal) {
  return decimal.digits.find_first_not_of('0') == std::string::npos;
}

// Writes Python's general format ('g'): only the digits of `decimal`, in one of the two notations.
NumberText general(Decimal decimal, int largestPoint, bool keepsZeros, bool hasPoint,
                   bool addsZero) {
  if (isZero(decimal))
    decimal.point = 1;
  if (!keepsZeros)
    decimal.digits.erase(std::max<size_t>(decimal.digits.find_last_not_of('0') + 1, 1));
  int count = static_cast<int>(decimal.digits.size());
  if (decimal.point <= -4 || decimal.point > largestPoint)
    return scientific(decimal, count - 1, hasPoint);
  int places = std::max(count - decimal.point, addsZero ? 1 : 0);
  return positional(decimal, places, hasPoint);
}

// Returns the value as 'f' rounds it, with `precision` digits after the point.
Decimal fixedDecimal(double value, int precision) {
  char text[kMaxDigits];
  auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, precision);
  Decimal result;
  std::string_view all(text, static_cast<size_t>(end.ptr - text));
  size_t point = std::min(all.find('.'), all.size());
  result.digits = all.substr(0, point);
  if (point < all.size())
    result.digits += all.substr(point + 1);
  result.point = static_cast<int>(point);
  return result;
}

// Returns the text of a finite value that is not negative. `small` points to the same value as
// fp32 if the value came as fp32; otherwise it is null.
NumberText finiteText(double value, const float *small, const FormatSpec &spec) {
  int precision = spec.precision < 0 ? 6 : spec.precision;
  switch (spec.type) {
  case 'e':
  case 'E':
    return scientific(roundedTo(value, precision + 1), precision, spec.alternate);
  case 'f':
  case 'F':
  case '%':
    return positional(fixedDecimal(value, precision), precision, spec.alternate);
  case 0:
    if (spec.precision < 0 && small)
      return general(shortest(*small), 16, spec.alternate, spec.alternate, true);
    break;
  default:
    break;
  }
  precision = std::max(precision, 1);
  bool isPlain = spec.type == 0;
  return general(roundedTo(value, precision), isPlain ? precision - 1 : precision, spec.alternate,
                 spec.alternate, isPlain);
}

std::string upper(std::string text) {
  for (char &c : text)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return text;
}

NumberText floatText(double value, const float *small, const FormatSpec &spec) {
  NumberText text;
  bool isNegative = std::signbit(value) && !std::isnan(value);
  double magnitude = std::fabs(value);
  float smallMagnitude = small ? std::fabs(*small) : 0;
  if (spec.type == '%')
    magnitude *= 100;
  if (!std::isfinite(magnitude))
    text.rest = std::isnan(value) ? "nan" : "inf";
  else
    text = finiteText(magnitude, small ? &smallMagnitude : nullptr, spec);
  std::string all = text.digits + text.rest.substr(0, text.rest.find('e'));
  if (spec.noNegativeZero && all.find_first_not_of("0.") == std::string::npos)
    isNegative = false;
  if (spec.type == 'E' || spec.type == 'F' || spec.type == 'G')
    text.rest = upper(text.rest);
  if (spec.type == '%')
    text.rest += '%';
  text.sign = isNegative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  return text;
}

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

int baseOf(char type) {
  return type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
}

NumberText integerText(int64_t value, const FormatSpec &spec) {
  NumberText text;
  char digits[70];
  auto end = std::to_chars(digits, digits + sizeof digits, std::abs(value), baseOf(spec.type));
  text.digits.assign(digits, end.ptr);
  if (spec.alternate && baseOf(spec.type) != 10)
    text.prefix = std::string("0") + spec.type;
  if (spec.type == 'X')
    text.digits = upper(text.digits);
  text.sign = value < 0 ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  return text;
}

//===--------------------------------------------------------------------------===//
// Grouping and padding
//===--------------------------------------------------------------------------===//

// Inserts separators between groups of digits, and zeros in front up to `width` characters. The
// text must not begin with a separator, so it may be one character longer.
std::string grouped(const std::string &digits, char separator, int size, int width) {
  std::string reversed;
  int remaining = static_cast<int>(digits.size());
  bool separates = false;
  do {
    int length = std::min(size, std::max({remaining, width, 1}));
    if (separates)
      reversed += separator;
    for (int i = 0; i < length; ++i, --remaining)
      reversed += remaining > 0 ? digits[static_cast<size_t>(remaining - 1)] : '0';
    remaining = std::max(remaining, 0);
    separates = true;
    width -= length;
    if (remaining == 0 && width <= 0)
      break;
    --width;
  } while (true);
  return {reversed.rbegin(), reversed.rend()};
}

// Returns the number of characters of a UTF-8 text.
int lengthOf(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string repeated(const std::string &text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

// Pads the text to the width of `spec`. With '=', the padding comes between `head` and `body`.
std::string padded(const std::string &head, const std::string &body, const FormatSpec &spec,
                   char align) {
  int missing = std::max(spec.width - lengthOf(head) - lengthOf(body), 0);
  int before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string front = repeated(spec.fill, before), back = repeated(spec.fill, missing - before);
  return align == '=' ? head + front + body + back : front + head + body + back;
}

std::string paddedNumber(NumberText text, const FormatSpec &spec) {
  char align = spec.align ? spec.align : spec.zeroPad ? '=' : '>';
  std::string head = text.sign + text.prefix;
  if (spec.grouping && !text.digits.empty()) {
    int others = lengthOf(head) + lengthOf(text.rest);
    bool withZeros = align == '=' && spec.fill == "0";
    int size = baseOf(spec.type) == 10 ? 3 : 4;
    text.digits = grouped(text.digits, spec.grouping, size, withZeros ? spec.width - others : 0);
  }
  return padded(head, text.digits + text.rest, spec, align);
}

std::string paddedText(std::string text, const FormatSpec &spec) {
  if (spec.precision >= 0)
    text = text.substr(0, static_cast<size_t>(spec.precision));
  return padded("", text, spec, spec.align ? spec.align : '<');
}

} // namespace

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

std::string numberText(char kind, uint32_t bits) {
  if (kind == 'b')
    return bits ? "True" : "False";
  if (kind == 'i')
    return std::to_string(static_cast<int32_t>(bits));
  auto value = std::bit_cast<float>(bits);
  NumberText text = floatText(value, &value, {});
  return text.sign + text.digits + text.rest;
}

std::string formatNumber(char kind, uint32_t bits, const FormatPiece &field) {
  const FormatSpec &spec = field.spec;
  if (field.asText)
    return paddedText(numberText(kind, bits), spec);
  if (spec.isEmpty)
    return numberText(kind, bits);
  if (kind == 'f') {
    auto value = std::bit_cast<float>(bits);
    return paddedNumber(floatText(value, &value, spec), spec);
  }
  auto value = static_cast<int32_t>(bits);
  bool asFloat = spec.type && std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos;
  return paddedNumber(asFloat ? floatText(value, nullptr, spec) : integerText(value, spec), spec);
}

std::string formatText(std::string_view text, std::string_view kinds, const uint32_t *values) {
  std::string mistake, result;
  auto pieces = parseFormatText(text, mistake);
  if (!pieces)
    return std::string(text);
  size_t number = 0;
  for (const FormatPiece &piece : *pieces) {
    if (!piece.isField) {
      result += piece.literal;
    } else if (number < kinds.size()) {
      result += formatNumber(kinds[number], values[number], piece);
      ++number;
    }
  }
  return result;
}

} // namespace ttjit::hw
