//===- FormatText.h - format strings of Python ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses the text of a print: literal text and fields such as `{}`, `{:>8}`, `{!r}`, `{:.3f}`. Each
// field shows the next number; names and positions are not allowed. hw/device/FormatNumber.h makes
// the text of a number.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_FORMATTEXT_H
#define TTJIT_HW_FACTS_FORMATTEXT_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttjit::hw {

/// The format specification after the colon of a field:
/// [[fill]align][sign][z][#][0][width][,][.precision][type]
struct FormatSpec {
  static constexpr int kMaxWidth = 10000, kMaxPrecision = 200;

  bool isEmpty = true;    ///< no specification: print the number's default text
  std::string fill = " "; ///< one character, in UTF-8
  char align = 0;         ///< one of < > ^ =; 0: not given
  bool zeroPad = false;   ///< numbers without align are filled between sign and digits
  char sign = '-';        ///< one of + - space
  bool noNegativeZero = false;
  bool alternate = false;
  int width = 0;
  char grouping = 0;  ///< , or _
  int precision = -1; ///< -1: not given
  char type = 0;      ///< 0: not given
};

/// Literal text, or a field.
struct FormatPiece {
  std::string literal;
  bool isField = false;
  bool asText = false; ///< `!r`, `!s` or `!a`: the field formats the number's text
  FormatSpec spec;
};

namespace detail {

/// Reads a text from left to right.
struct TextReader {
  std::string_view rest;

  bool take(char c) {
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  /// Takes and returns the next character if it is one of these; otherwise returns 0.
  char takeOneOf(std::string_view characters) {
    if (rest.empty() || characters.find(rest.front()) == std::string_view::npos)
      return 0;
    char c = rest.front();
    rest.remove_prefix(1);
    return c;
  }
  /// Takes digits as a number: -1 if it exceeds `limit`, nothing if there are no digits.
  std::optional<int> takeNumber(int limit) {
    std::optional<int> number;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
      if (number != -1)
        number = number.value_or(0) * 10 + (rest.front() - '0');
      if (*number > limit)
        number = -1;
      rest.remove_prefix(1);
    }
    return number;
  }
};

/// Returns the bytes of the first character of a UTF-8 text that is not empty.
inline size_t firstCharacter(std::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80)
    ++bytes;
  return bytes;
}

/// Reads the alignment. Returns whether the text gives a fill character.
inline bool readAlignment(TextReader &reader, FormatSpec &spec) {
  constexpr std::string_view kAlignments = "<>=^";
  if (reader.rest.empty())
    return false;
  size_t bytes = firstCharacter(reader.rest);
  if (bytes < reader.rest.size() &&
      kAlignments.find(reader.rest[bytes]) != std::string_view::npos) {
    spec.fill = reader.rest.substr(0, bytes);
    reader.rest.remove_prefix(bytes);
    spec.align = reader.takeOneOf(kAlignments);
    return true;
  }
  spec.align = reader.takeOneOf(kAlignments);
  return false;
}

} // namespace detail

/// Returns the parsed specification. If the text is not a specification, returns nothing and sets
/// `mistake` to the reason.
inline std::optional<FormatSpec> parseFormatSpec(std::string_view text, std::string &mistake) {
  FormatSpec spec;
  spec.isEmpty = text.empty();
  detail::TextReader reader{text};
  bool hasFill = detail::readAlignment(reader, spec);
  if (char sign = reader.takeOneOf("+- "))
    spec.sign = sign;
  spec.noNegativeZero = reader.take('z');
  spec.alternate = reader.take('#');
  if (!hasFill && reader.take('0')) {
    spec.zeroPad = true;
    spec.fill = "0";
  }
  spec.width = reader.takeNumber(FormatSpec::kMaxWidth).value_or(0);
  spec.grouping = reader.takeOneOf(",_");
  std::optional<int> precision;
  bool hasPrecision = reader.take('.');
  if (hasPrecision)
    precision = reader.takeNumber(FormatSpec::kMaxPrecision);
  spec.precision = precision.value_or(-1);
  spec.type = reader.takeOneOf("bdeEfFgGnosxX%");
  if (!reader.rest.empty() || (hasPrecision && !precision))
    mistake = "'" + std::string(text) + "' is no format specification of numbers";
  else if (spec.width < 0)
    mistake = "a field is at most " + std::to_string(FormatSpec::kMaxWidth) + " characters wide";
  else if (precision == -1)
    mistake = "a precision is at most " + std::to_string(FormatSpec::kMaxPrecision);
  if (!mistake.empty())
    return std::nullopt;
  return spec;
}

/// Returns the pieces of a text. If it is no format string, returns nothing and sets `mistake`.
inline std::optional<std::vector<FormatPiece>> parseFormatText(std::string_view text,
                                                               std::string &mistake) {
  std::vector<FormatPiece> pieces;
  std::string literal;
  detail::TextReader reader{text};
  auto endLiteral = [&] {
    if (!literal.empty())
      pieces.push_back({std::exchange(literal, {}), false, false, {}});
  };
  while (!reader.rest.empty()) {
    char c = reader.rest.front();
    reader.rest.remove_prefix(1);
    if (c == '}' && !reader.take('}')) {
      mistake = "a single '}' in a format string: write '}}'";
      return std::nullopt;
    }
    if (c != '{' || reader.take('{')) {
      literal += c;
      continue;
    }
    endLiteral();
    FormatPiece field;
    field.isField = true;
    field.asText = reader.take('!') && reader.takeOneOf("rsa");
    std::string_view spec;
    bool hasSpec = reader.take(':');
    size_t end = reader.rest.find('}');
    if (end == std::string_view::npos || (!hasSpec && end != 0)) {
      mistake = "a field of a format string is {}, {:specification}, {!r} or {!r:specification}";
      return std::nullopt;
    }
    spec = reader.rest.substr(0, end);
    reader.rest.remove_prefix(end + 1);
    std::optional<FormatSpec> parsed = parseFormatSpec(spec, mistake);
    if (!parsed)
      return std::nullopt;
    field.spec = *parsed;
    pieces.push_back(std::move(field));
  }
  endLiteral();
  return pieces;
}

/// Returns why a number of this kind ('i': i32, 'f': f32, 'b': i1) cannot be formatted in this way;
/// empty if it can.
inline std::string checkField(const FormatPiece &field, char kind) {
  const FormatSpec &spec = field.spec;
  auto isOneOf = [&](std::string_view types) {
    return spec.type == 0 || types.find(spec.type) != std::string_view::npos;
  };
  bool isIntegerType = kind != 'f' && (spec.type == 0 || isOneOf("bdnoxX"));
  std::string type = spec.type ? "'" + std::string(1, spec.type) + "'" : "";
  if (field.asText)
    return isOneOf("s") ? "" : "format type " + type + " is not for text";
  if (!isOneOf(kind == 'f' ? "eEfFgGn%" : "bdeEfFgGnoxX%"))
    return "format type " + type + " is not for " + (kind == 'f' ? "floats" : "integers");
  if (isIntegerType && spec.precision >= 0)
    return "integers have no precision";
  return "";
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_FORMATTEXT_H
