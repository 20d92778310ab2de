//===- PrintedLines.h - what the threads of a run printed -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Only lines of the same thread are compared: the order of lines of different threads depends on
// the schedule, which differs between the versions of a kernel. So do the pointers of a buffer.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_PRINTEDLINES_H
#define TTJIT_TOOLS_TTL_DIFF_PRINTEDLINES_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::ttl_diff {

/// Keeps lines by "(x, y) thread", except those that show the pointers of a buffer.
class PrintedLines {
public:
  void add(const std::string &text);
  /// Returns the first line that differs, in words; nothing if all are equal, or if there were too
  /// many lines to keep.
  std::optional<std::string> difference(const PrintedLines &after) const;

private:
  static constexpr size_t kMaxLines = 100'000;

  size_t numLines = 0; ///< only the first kMaxLines are kept
  std::map<std::string, std::vector<std::string>> threads;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_PRINTEDLINES_H
