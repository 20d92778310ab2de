//===- Report.h - times and counts of a kernel, for --stats ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_REPORT_H
#define TTJIT_TOOLS_SESSION_REPORT_H

#include "diagnostics/TextSink.h"
#include "frontend/launcher/KernelReport.h"

#include <chrono>
#include <string>
#include <vector>

namespace ttjit::session {

/// Adds a launch to the report.
void addLaunch(KernelReport &report, double milliseconds, const hw::RunStats &stats);

/// Returns a copy of the report, and sets the report's launches and times to zero.
KernelReport take(KernelReport &report);

/// Returns the text of --stats, which has several lines.
std::string render(const KernelReport &report);

/// Returns the reports as an array of JSON, with a name for each number of render().
std::string renderJson(const std::vector<KernelReport> &reports);

/// Passes the texts of the reports to `sink`; if `file` has a name, writes them there as JSON
/// instead. If the file cannot be written, tells `sink` why and returns false.
bool deliver(const std::vector<KernelReport> &reports, const std::string &file,
             const diagnostics::TextSink &sink);

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
