//===- Report.h - what a kernel's compilation and launches cost -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_REPORT_H
#define TTJIT_TOOLS_SESSION_REPORT_H

#include "hw/device/Run.h"

#include <chrono>
#include <string>
#include <vector>

namespace ttjit::session {

struct ThreadReport {
  std::string name;
  std::string engine; ///< "jit" or "interp"
};

/// `milliseconds` of one stage of the pipeline or step of an engine.
struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

/// One compiled kernel and the launches since; `run` adds them up. The first
/// launch is told apart because it touches the device's memory for the first
/// time.
struct KernelReport {
  std::string name;
  int gridX = 1, gridY = 1, numNodes = 1;
  std::vector<ThreadReport> threads;
  std::vector<StageTime> compile;
  unsigned launches = 0;
  double firstMilliseconds = 0, bestMilliseconds = 0, totalMilliseconds = 0;
  hw::RunStats run;

  void addLaunch(double milliseconds, const hw::RunStats &stats);
  /// Returns the report and starts the next one of the same kernel: no launches,
  /// nothing compiled.
  KernelReport take();
};

/// Several lines, the text of --stats.
std::string render(const KernelReport &report);

/// Milliseconds since the last call, or since it was made.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double result = std::chrono::duration<double, std::milli>(now - start).count();
    start = now;
    return result;
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_REPORT_H
