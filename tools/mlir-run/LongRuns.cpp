//===- LongRuns.cpp - tells what a long run does ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/LongRuns.h"

#include <fmt/format.h>

using namespace ttjit::mlir_run;

LongRuns::LongRuns(const diagnostics::TextSink &messages, std::chrono::milliseconds first)
    : messages(messages), first(first), thread([this] { watch(); }) {}

LongRuns::~LongRuns() {
  {
    std::lock_guard lock(mutex);
    isDone = true;
  }
  change.notify_all();
  thread.join();
}

void LongRuns::begin(std::string what) {
  std::lock_guard lock(mutex);
  doing = std::move(what);
}

void LongRuns::watch() {
  auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex);
  for (std::chrono::milliseconds after = first;; after *= 2) {
    if (change.wait_until(lock, start + after, [this] { return isDone; }))
      return;
    messages(
        fmt::format("note: this has run for {:g} s: {}\n", double(after.count()) / 1000, doing));
  }
}
