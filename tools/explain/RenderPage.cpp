//===- RenderPage.cpp - the explanation of errors as a page -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/explain/NumericsReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace ttjit::explain;

static constexpr int kCell = 6; // pixels

// The colours of no error, and of errors up to 1/128, 1/64, ... and 1 of the largest one.
static constexpr std::array<const char *, 9> kColours{"#f2f4f7", "#cfe3f3", "#9ecae1",
                                                      "#6baed6", "#4292c6", "#f6b26b",
                                                      "#e8743b", "#c0392b", "#6e1423"};

// Returns the largest error of colour `i`.
static double endOf(size_t i, double largest) {
  return i == 0 ? 0
                : std::ldexp(largest, static_cast<int>(i + 1) - static_cast<int>(kColours.size()));
}

static const char *colourOf(double ulp, double largest) {
  size_t i = 0;
  while (i + 1 < kColours.size() && ulp > endOf(i, largest))
    ++i;
  return kColours[i];
}

static std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

// Returns the squares of the legend, which explain the colours.
static std::string legend(int y, double largest) {
  std::string text;
  for (size_t i = 0; i < kColours.size(); ++i) {
    std::string label = fmt::format("{:.3g}", endOf(i, largest));
    int x = static_cast<int>(i) * 64;
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\" "
                        "stroke=\"#999\"/><text x=\"{}\" y=\"{}\">{}</text>",
                        x, y, kColours[i], x + 16, y + 11, label);
  }
  return text +
         fmt::format("<text x=\"0\" y=\"{}\">largest error of a cell, ulp up to</text>", y - 6);
}

// Draws a row of cells, neighbours of one colour as one rectangle.
static std::string rowOfMap(const TensorErrors &tensor, int row) {
  const ErrorMap &map = tensor.map;
  auto colour = [&](int column) {
    return colourOf(map.cells[static_cast<size_t>(row * map.columns + column)], tensor.largest.ulp);
  };
  std::string text;
  for (int first = 0, next = 0; first < map.columns; first = next) {
    for (next = first + 1; next < map.columns && colour(next) == colour(first);)
      ++next;
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                        first * kCell, row * kCell, (next - first) * kCell, kCell, colour(first));
  }
  return text;
}

std::string ttjit::explain::renderMap(const TensorErrors &tensor) {
  const ErrorMap &map = tensor.map;
  int width = std::max(map.columns * kCell, static_cast<int>(kColours.size()) * 64);
  int height = map.rows * kCell + 48;
  std::string text =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                  "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
                  "font-size=\"12\" fill=\"currentColor\">",
                  width, height);
  for (int r = 0; r < map.rows; ++r)
    text += rowOfMap(tensor, r);
  return text + legend(map.rows * kCell + 28, tensor.largest.ulp) + "</svg>\n";
}

std::string ttjit::explain::renderPage(const std::vector<NumericsReport> &reports) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                     "<title>numerics</title><style>body{font-family:sans-serif;margin:2em;"
                     "color-scheme:light dark}pre{overflow-x:auto}</style></head><body>\n";
  for (const NumericsReport &report : reports) {
    text += fmt::format("<h2>{}</h2>\n<pre>{}</pre>\n", escaped(report.kernel),
                        escaped(renderText(report)));
    for (const TensorErrors &tensor : report.tensors)
      text += fmt::format("<h3>{}</h3>\n{}", escaped(tensor.name), renderMap(tensor));
  }
  return text + "</body></html>\n";
}
