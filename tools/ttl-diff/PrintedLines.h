//===- PrintedLines.h - what the threads of a run printed -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The order of lines of different threads depends on the schedule, which differs between
// the versions of a kernel, and so does how far the other side of a buffer has come.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_PRINTEDLINES_H
#define TTJIT_TOOLS_TTL_DIFF_PRINTEDLINES_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::ttl_diff {

/// Lines by "(x, y) thread", without those that show the pointers of a buffer.
class PrintedLines {
public:
  void add(const std::string &text);
  /// The first line that differs, in words; nothing if all are equal, or if there are
  /// more than are kept.
  std::optional<std::string> difference(const PrintedLines &after) const;

private:
  static constexpr size_t kMaxLines = 100'000;

  size_t numLines = 0; ///< only the first kMaxLines are kept
  std::map<std::string, std::vector<std::string>> threads;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_PRINTEDLINES_H
