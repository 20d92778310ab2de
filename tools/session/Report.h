//===- Report.h - times and counts of a kernel, for --stats ---------*- C++ -*-===//
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
  std::string engine; ///< name of the engine, "jit" or "interp"
};

/// The time of one stage of the pipeline, or of one step of an engine.
struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

/// The numbers of a compiled kernel and its launches. `run` has the sums over all
/// launches. The time of the first launch is separate: it is longer because it maps the
/// device's memory.
struct KernelReport {
  std::string name;
  int gridX = 1, gridY = 1, numNodes = 1;
  std::vector<ThreadReport> threads;
  std::vector<StageTime> compile;
  unsigned launches = 0;
  double firstMilliseconds = 0, bestMilliseconds = 0, totalMilliseconds = 0;
  hw::RunStats run;

  void addLaunch(double milliseconds, const hw::RunStats &stats);
  /// Returns the report and sets its launches and times to zero.
  KernelReport take();
};

/// Returns the text of --stats, which has several lines.
std::string render(const KernelReport &report);

/// Measures the milliseconds since the last call, or since its construction.
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
