//===- ReadText.h - numbers and names in the values of options ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_READTEXT_H
#define TTJIT_TOOLS_OPTIONS_READTEXT_H

#include "tools/options/Options.h"
#include "tools/options/UsageError.h"

#include <fmt/format.h>

#include <charconv>
#include <span>
#include <string_view>
#include <utility>

namespace ttjit::options {

/// Reads a number. Returns false unless the whole text is one.
template <typename T> bool parseNumber(std::string_view text, T &result) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename T> using Names = std::span<const std::pair<std::string_view, T>>;

/// Reads one of several names.
template <typename T> UsageError parseNamed(Names<T> names, std::string_view value, T &result) {
  std::string expected;
  for (auto &[name, meaning] : names) {
    if (name == value) {
      result = meaning;
      return std::nullopt;
    }
    expected += (expected.empty() ? "" : ", ") + std::string(name);
  }
  return fmt::format("expected one of {}; found '{}'", expected, value);
}

/// Sets the chip and its grid by a value of --arch.
UsageError setArch(Options &options, std::string_view value);

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_READTEXT_H
