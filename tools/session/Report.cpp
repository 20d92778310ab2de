//===- Report.cpp - times and counts of a kernel, for --stats -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Report.h"

#include "hw/device/Describe.h"
#include "hw/facts/Microcores.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::session;

void session::addLaunch(KernelReport &report, double milliseconds, const hw::RunStats &stats) {
  if (report.launches++ == 0)
    report.firstMilliseconds = report.bestMilliseconds = milliseconds;
  report.bestMilliseconds = std::min(report.bestMilliseconds, milliseconds);
  report.totalMilliseconds += milliseconds;
  addStats(report.run, stats);
}

KernelReport session::take(KernelReport &report) {
  KernelReport next;
  next.name = report.name;
  next.gridX = report.gridX;
  next.gridY = report.gridY;
  next.numNodes = report.numNodes;
  next.mesh = report.mesh;
  next.threads = report.threads;
  next.notes = report.notes;
  next.orderReasons = report.orderReasons;
  return std::exchange(report, std::move(next));
}

static std::string bytesText(uint64_t bytes) {
  if (bytes < 10 * 1024)
    return fmt::format("{} B", bytes);
  if (bytes < 10 * 1024 * 1024)
    return fmt::format("{:.1f} KiB", bytes / 1024.0);
  return fmt::format("{:.1f} MiB", bytes / (1024.0 * 1024.0));
}

static llvm::StringRef nameOf(hw::Processor processor) {
  return hw::hintedMicrocore(static_cast<unsigned>(processor)).name;
}

// Returns whether a data movement thread runs on another processor than its position implies.
static bool isReordered(const KernelReport &report) {
  unsigned next = 0;
  return std::ranges::any_of(report.threads, [&](const ThreadReport &thread) {
    return thread.processor != hw::Processor::Compute &&
           static_cast<unsigned>(thread.processor) != next++;
  });
}

static std::string processorsOf(const KernelReport &report) {
  std::string text = "\n  processors:";
  for (const ThreadReport &thread : report.threads)
    text += " " + thread.name + "=" + nameOf(thread.processor).str();
  return text;
}

static std::string gridOf(const KernelReport &report) {
  std::string nodes = hw::plural(report.numNodes, "node");
  auto devices = static_cast<int>(report.run.devices.size());
  if (report.mesh.empty() || devices == 0)
    return fmt::format("grid {}x{}, {}", report.gridX, report.gridY, nodes);
  return fmt::format("mesh {}, grid {}x{} on each device, {} in all", fmt::join(report.mesh, "x"),
                     report.gridX / devices, report.gridY, nodes);
}

// Returns the text of what the devices of a mesh moved, and of what they sent to each other.
static std::string trafficOf(const hw::RunStats &run) {
  std::string text;
  for (size_t device = 0; device < run.devices.size(); ++device) {
    const hw::DeviceStats &own = run.devices[device];
    text += fmt::format("  device {}: {} read, {} written, {} sent to cores of its own\n", device,
                        bytesText(own.bytesRead), bytesText(own.bytesWritten),
                        bytesText(own.bytesSent));
  }
  for (const auto &[ends, link] : run.links)
    text += fmt::format("  device {} to device {}: {} in {}, {}\n", ends.first, ends.second,
                        bytesText(link.bytes), hw::plural(link.blocks, "block"),
                        hw::plural(link.signals, "signal"));
  return text;
}

static std::string orderOf(const KernelReport &report) {
  if (!report.orderReasons)
    return {};
  if (report.orderReasons->empty())
    return "\n  order: all orders of threads and transfers have the same results, "
           "unless there is a race";
  std::string text = "\n  order: the results may depend on the order of threads and transfers:";
  for (const std::string &reason : *report.orderReasons)
    text += "\n    " + reason;
  return text;
}

std::string session::render(const KernelReport &report) {
  std::string text = fmt::format("kernel {}: {}\n", report.name, gridOf(report));
  text += "  engines:";
  for (const ThreadReport &thread : report.threads)
    text += fmt::format(" {}={}", thread.name, thread.engine);
  if (isReordered(report))
    text += processorsOf(report);
  for (const std::string &note : report.notes)
    text += fmt::format("\n  {}", note);
  text += orderOf(report);
  double total = 0;
  std::string stages;
  for (const StageTime &stage : report.compile) {
    total += stage.milliseconds;
    stages += fmt::format(" {}={:.2f}", stage.stage, stage.milliseconds);
  }
  text += fmt::format("\n  compile: {:.2f} ms:{}\n", total, stages);
  text += fmt::format("  run: {} launch{}, {:.2f} ms (first {:.2f}, best {:.2f})\n",
                      report.launches, report.launches == 1 ? "" : "es", report.totalMilliseconds,
                      report.firstMilliseconds, report.bestMilliseconds);
  const hw::RunStats &run = report.run;
  text += fmt::format("  blocks: {} pushed, {} popped\n", run.blocksPushed, run.blocksPopped);
  text += fmt::format("  bytes moved: {} read, {} written in {}\n", bytesText(run.bytesRead),
                      bytesText(run.bytesWritten), hw::plural(run.transfers, "transfer"));
  if (run.bytesSent || run.bytesReceived)
    text += fmt::format("  bytes between cores: {} sent, {} copied on arrival\n",
                        bytesText(run.bytesSent), bytesText(run.bytesReceived));
  text += trafficOf(run);
  if (run.transfers)
    text += fmt::format("  transfers of one thread in flight: at most {}, {:.2f} on average\n",
                        run.mostOutstanding, double(run.outstanding) / double(run.transfers));
  text += fmt::format("  context switches: {}, steps: {}\n", run.contextSwitches, run.steps);
  return text;
}

//===--------------------------------------------------------------------------===//
// JSON
//===--------------------------------------------------------------------------===//

static llvm::json::Object countsOf(const hw::RunStats &run) {
  return llvm::json::Object{{"blocks_pushed", int64_t(run.blocksPushed)},
                            {"blocks_popped", int64_t(run.blocksPopped)},
                            {"bytes_read", int64_t(run.bytesRead)},
                            {"bytes_written", int64_t(run.bytesWritten)},
                            {"bytes_sent", int64_t(run.bytesSent)},
                            {"bytes_received", int64_t(run.bytesReceived)},
                            {"transfers", int64_t(run.transfers)},
                            {"most_outstanding", int64_t(run.mostOutstanding)},
                            {"outstanding", int64_t(run.outstanding)},
                            {"context_switches", int64_t(run.contextSwitches)},
                            {"steps", int64_t(run.steps)}};
}

static llvm::json::Array devicesOf(const hw::RunStats &run) {
  llvm::json::Array found;
  for (const hw::DeviceStats &device : run.devices)
    found.push_back(llvm::json::Object{{"bytes_read", int64_t(device.bytesRead)},
                                       {"bytes_written", int64_t(device.bytesWritten)},
                                       {"bytes_sent", int64_t(device.bytesSent)}});
  return found;
}

static llvm::json::Array linksOf(const hw::RunStats &run) {
  llvm::json::Array found;
  for (const auto &[ends, link] : run.links)
    found.push_back(llvm::json::Object{{"from", ends.first},
                                       {"to", ends.second},
                                       {"bytes", int64_t(link.bytes)},
                                       {"blocks", int64_t(link.blocks)},
                                       {"signals", int64_t(link.signals)}});
  return found;
}

static llvm::json::Object toJson(const KernelReport &report) {
  llvm::json::Object engines, processors, compile;
  for (const ThreadReport &thread : report.threads) {
    engines[thread.name] = thread.engine;
    processors[thread.name] = nameOf(thread.processor);
  }
  for (const StageTime &stage : report.compile)
    compile[stage.stage] = stage.milliseconds;
  llvm::json::Array notes(report.notes);
  llvm::json::Object object{{"kernel", report.name},
                            {"grid", llvm::json::Array{report.gridX, report.gridY}},
                            {"nodes", report.numNodes},
                            {"engines", std::move(engines)},
                            {"processors", std::move(processors)},
                            {"notes", std::move(notes)},
                            {"compile_ms", std::move(compile)},
                            {"launches", int64_t(report.launches)},
                            {"total_ms", report.totalMilliseconds},
                            {"first_ms", report.firstMilliseconds},
                            {"best_ms", report.bestMilliseconds},
                            {"counts", countsOf(report.run)}};
  if (report.orderReasons)
    object["order_reasons"] = llvm::json::Array(*report.orderReasons);
  if (!report.mesh.empty()) {
    object["mesh"] = llvm::json::Array(report.mesh);
    object["devices"] = devicesOf(report.run);
    object["links"] = linksOf(report.run);
  }
  return object;
}

std::string session::renderJson(const std::vector<KernelReport> &reports) {
  llvm::json::Array array;
  for (const KernelReport &report : reports)
    array.push_back(toJson(report));
  return llvm::formatv("{0:1}\n", llvm::json::Value(std::move(array))).str();
}

bool session::deliver(const std::vector<KernelReport> &reports, const std::string &file,
                      const TextSink &sink) {
  if (file.empty()) {
    for (const KernelReport &report : reports)
      sink(render(report));
    return true;
  }
  std::ofstream stream(file, std::ios::binary);
  stream << renderJson(reports);
  if (stream.flush())
    return true;
  sink(fmt::format("error: cannot write the statistics '{}': {}\n", file, std::strerror(errno)));
  return false;
}
