//===- LongRuns.h - says what a long run does -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_LONGRUNS_H
#define TTJIT_TOOLS_MLIR_RUN_LONGRUNS_H

#include "diagnostics/TextSink.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ttjit::mlir_run {

/// Writes a line about what the run does after 10 s (`first`), 20 s, 40 s and so on.
class LongRuns {
public:
  explicit LongRuns(const diagnostics::TextSink &messages,
                    std::chrono::milliseconds first = std::chrono::seconds(10));
  ~LongRuns();

  /// Notes what the run does from now on.
  void begin(std::string what);

private:
  void watch();

  const diagnostics::TextSink &messages;
  std::chrono::milliseconds first;
  std::mutex mutex;
  std::condition_variable change;
  std::string doing;
  bool isDone = false;
  std::thread thread;
};

} // namespace ttjit::mlir_run

#endif // TTJIT_TOOLS_MLIR_RUN_LONGRUNS_H
