//===- CppWarnings.cpp - warnings about a program in C++ ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/CppWarnings.h"

#include "diagnostics/Diagnostics.h"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace ttjit;
using namespace ttjit::diagnostics;
using options::Options;

// Returns the option that asks for repetitions of each launch; null if there is none.
static const char *repetitionOf(const options::CompareOptions &compare) {
  if (compare.passes)
    return "--bisect";
  if (compare.explore.runs)
    return "--explore";
  return compare.engines || compare.schedules ? "--compare" : nullptr;
}

// Returns the core whose buffers need the most bytes, and these bytes. Buffers that share a memory
// count once; those that a tensor backs do not count.
static std::pair<hw::NodeCoord, uint64_t> fullestCore(const CppProgram &program) {
  std::map<std::pair<int, int>, uint64_t> bytes;
  std::set<int> counted;
  std::pair<hw::NodeCoord, uint64_t> most{};
  for (const CppBuffer &buffer : program.buffers) {
    if (!buffer.backing.tensor.empty() || !counted.insert(buffer.memory).second)
      continue;
    for (hw::NodeCoord core : buffer.cores)
      if (uint64_t used = bytes[{core.x, core.y}] += buffer.totalBytes; used > most.second)
        most = {core, used};
  }
  return most;
}

std::vector<CompileDiagnostic> session::warningsOf(const CppProgram &program,
                                                   const Options &options) {
  std::vector<CompileDiagnostic> result;
  auto add = [&](CompileDiagnostic::Severity severity, std::string text, WarningKind kind) {
    result.push_back(
        makeDiagnostic(severity, std::move(text), {program.kernels.front().file, 1, 1, 1, 1}));
    result.back().kind = kind;
  };
  if (const char *option = repetitionOf(options.compare))
    add(CompileDiagnostic::Severity::Warning,
        fmt::format("{} does not repeat programs in C++, so this one runs once: to try other "
                    "orders, run with --schedule=random --seed=N for several N, or with "
                    "--check=race",
                    option),
        WarningKind::Engine);
  auto [core, used] = fullestCore(program);
  bool isLimited = options.passes.maxL1 != 0;
  uint64_t available =
      isLimited ? static_cast<uint64_t>(options.passes.maxL1) : options.arch.l1Available();
  if (used <= available)
    return result;
  bool isError = options.passes.strict;
  add(isError ? CompileDiagnostic::Severity::Error : CompileDiagnostic::Severity::Warning,
      fmt::format("circular buffers of '{}' take {} bytes of L1 on core ({}, {}), but {} only {}{}",
                  program.name, used, core.x, core.y,
                  isLimited ? "--max-l1 allows" : options.archName + " has", available,
                  isError ? "" : " (the program runs, because the emulated core has more)"),
      WarningKind::Limit);
  return result;
}
