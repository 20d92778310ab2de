//===- NumericsReport.h - the errors of a launch, explained ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_EXPLAIN_NUMERICSREPORT_H
#define TTJIT_TOOLS_EXPLAIN_NUMERICSREPORT_H

#include "hw/device/Program.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ttjit::explain {

/// How large errors are: absolute, and in units of the last place of the output's format at the
/// exact value.
struct ErrorSize {
  double absolute = 0, ulp = 0;
};

/// The part of a tensor's error that one cause, or one line, adds.
struct ErrorShare {
  std::string name;            ///< of a cause; of a line, its text "file:line"
  hw::SourceLocation location; ///< of a line
  ErrorSize added;             ///< mean of what is gone without it
  ErrorSize without;           ///< mean error without it
  double removed = 0;          ///< by how much the mean error in ulp is less without it, 0 to 1
  bool isMeasured = false;     ///< of a cause: whether the launch has run again without it
};

/// The error of a tensor if the launch runs with another setting.
struct SettingError {
  std::string setting; ///< as a program writes it
  ErrorSize mean;
  double removed = 0; ///< by how much the mean error in ulp is less with it; negative: more
};

/// The upper ends of the classes of the histogram, in ulp. A last class has no upper end.
inline constexpr std::array<double, 8> kClassEnds{0, 0.5, 1, 2, 4, 16, 256, 65536};

/// The picture of a tensor: the largest error in ulp in each cell, row-major.
struct ErrorMap {
  int rows = 0, columns = 0;
  std::vector<double> cells;
};

struct TensorErrors {
  std::string name, format;
  std::vector<int64_t> shape;
  uint64_t elements = 0;
  uint64_t notFinite = 0; ///< elements of which the card's value or the exact one is not finite,
                          ///< and they differ; the other figures do not count them
  ErrorSize largest, mean;
  std::vector<int64_t> worst; ///< index of the element with the largest error in ulp
  double found = 0, exact = 0;
  std::array<uint64_t, kClassEnds.size() + 1> histogram{};
  std::vector<ErrorShare> causes, lines; ///< the largest first
  ErrorSize residue;                     ///< mean of what the causes do not add up to
  std::vector<SettingError> settings;    ///< those that change the error
  uint64_t changedOnOtherChip = 0;       ///< elements with other bits on the other chip
  ErrorMap map;
  std::string advice; ///< empty if the figures support none
};

struct QuirkReport {
  std::string text, place;
  hw::SourceLocation location;
  int row = 0, column = 0;
  uint64_t count = 0;
};

struct NumericsReport {
  std::string kernel;
  std::string configuration; ///< chip, fidelity and DST
  std::vector<TensorErrors> tensors;
  std::vector<QuirkReport> quirks;
  std::string otherChip; ///< how the other chip differs, as a sentence
  std::vector<std::pair<std::string, hw::SourceLocation>> unfollowed;
};

std::string renderText(const NumericsReport &report);
std::string renderJson(const std::vector<NumericsReport> &reports);
/// Returns a page of HTML with the text and a picture of each tensor.
std::string renderPage(const std::vector<NumericsReport> &reports);
/// Returns the picture of a tensor as SVG.
std::string renderMap(const TensorErrors &tensor);

} // namespace ttjit::explain

#endif // TTJIT_TOOLS_EXPLAIN_NUMERICSREPORT_H
