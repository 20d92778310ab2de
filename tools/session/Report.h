//===- Report.h - times and counts of a kernel, for --stats ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_REPORT_H
#define TTJIT_TOOLS_SESSION_REPORT_H

#include "frontend/launcher/KernelReport.h"

#include <chrono>
#include <string>

namespace ttjit::session {

/// Adds a launch to the report.
void addLaunch(KernelReport &report, double milliseconds, const hw::RunStats &stats);

/// Returns the report and sets its launches and times to zero.
KernelReport take(KernelReport &report);

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
