//===- KernelReport.h - times and counts of a kernel ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_LAUNCHER_KERNELREPORT_H
#define TTJIT_FRONTEND_LAUNCHER_KERNELREPORT_H

#include "hw/device/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit {

struct ThreadReport {
  std::string name;
  std::string engine; ///< name of the engine: "jit", "interp" or "emitted"
  hw::Processor processor = hw::Processor::Compute;
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
  int gridX = 1, gridY = 1, numNodes = 1; ///< on a mesh: of all devices, side by side
  std::vector<int64_t> mesh;              ///< extents of the mesh; empty: one device
  std::vector<ThreadReport> threads;
  std::vector<StageTime> compile;
  unsigned launches = 0;
  double firstMilliseconds = 0, bestMilliseconds = 0, totalMilliseconds = 0;
  hw::RunStats run;
  std::vector<std::string> notes; ///< choices of the frontend, one a line
  /// Why the results may depend on the order of threads and transfers
  /// (passes/ttl/OrderDependence.h); nothing if that is not known.
  std::optional<std::vector<std::string>> orderReasons;
};

} // namespace ttjit

#endif // TTJIT_FRONTEND_LAUNCHER_KERNELREPORT_H
