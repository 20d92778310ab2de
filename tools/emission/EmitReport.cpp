//===- EmitReport.cpp - counts and limits of emitted kernels ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/emission/EmitReport.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::emission;

using Row = std::vector<std::string>;

static std::string cell(int64_t written, int64_t executed) {
  return written == executed ? fmt::format("{}", written)
                             : fmt::format("{} ({})", written, executed);
}

static Row rowOf(const std::string &name, const KernelCounts &counts) {
  Row row{name, fmt::format("{}", counts.lines)};
  for (auto [kind, count] : kCallKinds)
    row.push_back(cell(counts.written.*count, counts.executed.*count));
  return row;
}

static Row heads() {
  Row row{"kernel", "lines"};
  for (auto [kind, count] : kCallKinds) {
    row.push_back(kind);
    std::ranges::replace(row.back(), '_', ' ');
  }
  return row;
}

static KernelCounts totalOf(llvm::ArrayRef<DeviceProgram> programs) {
  KernelCounts total;
  for (const DeviceProgram &program : programs)
    for (const DeviceKernel &kernel : program.kernels)
      total += kernel.counts;
  return total;
}

// The names are aligned to the left, the numbers to the right.
static std::string tableOf(const std::vector<Row> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row &row : rows) {
    text += fmt::format("{:<{}}", row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i)
      text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += "\n";
  }
  return text;
}

std::string emission::renderCounts(llvm::ArrayRef<DeviceProgram> programs) {
  if (programs.empty())
    return "emit-report: no kernel was compiled\n";
  std::vector<Row> rows{heads()};
  for (const DeviceProgram &program : programs)
    for (const DeviceKernel &kernel : program.kernels)
      rows.push_back(rowOf(program.name + " " + kernel.thread, kernel.counts));
  rows.push_back(rowOf("total", totalOf(programs)));
  return tableOf(rows) +
         "Each number: calls in the C++ text (in parentheses: calls that run, where "
         "loops of known length repeat them).\n";
}

std::string emission::renderCountsJson(llvm::ArrayRef<DeviceProgram> programs) {
  llvm::json::Array kernels;
  for (const DeviceProgram &program : programs)
    for (const DeviceKernel &kernel : program.kernels) {
      llvm::json::Object entry = describeCounts(kernel.counts);
      entry["program"] = program.name;
      entry["thread"] = kernel.thread;
      kernels.push_back(std::move(entry));
    }
  llvm::json::Object report{{"kernels", std::move(kernels)},
                            {"total", describeCounts(totalOf(programs))}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(report))).str();
}
