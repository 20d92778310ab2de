//===- TraceStore.h - traces of the launches of a session -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_TRACESTORE_H
#define TTJIT_TOOLS_SESSION_TRACESTORE_H

#include "hw/device/Device.h"
#include "tools/trace/TraceListener.h"

#include <functional>
#include <memory>
#include <string>

namespace ttjit::session {

/// Implements --trace=FILE. The file holds all launches of the session.
class TraceStore {
public:
  /// An empty name means that no trace is written.
  TraceStore(std::string path, trace::TraceTime time) : path(std::move(path)), time(time) {}

  using Launch = std::function<hw::RunResult(const hw::RunOptions &options)>;

  /// Calls `launch` and writes its events. Returns a fault if the file cannot be written.
  hw::RunResult run(const hw::Device &device, const std::vector<int64_t> &mesh,
                    hw::RunOptions options, const Launch &launch);

private:
  hw::RunResult runInCycles(const hw::Device &device, hw::RunOptions options, const Launch &launch);

  std::string path;
  trace::TraceTime time;
  std::unique_ptr<trace::TraceListener> listener; ///< made by the first launch
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_TRACESTORE_H
