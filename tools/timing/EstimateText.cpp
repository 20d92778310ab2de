//===- EstimateText.cpp - estimates as text and JSON --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/Estimate.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;

static constexpr size_t kShownLines = 10, kShownChanges = 12;

static double cyclesOf(Ticks ticks) { return static_cast<double>(ticks) / hw::kTicksPerCycle; }

static double share(Ticks part, Ticks all) {
  return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

// Returns the name of the resource with the largest sum.
static std::string_view mostOf(const std::array<Ticks, kNumResources> &sums) {
  size_t most = size_t(std::ranges::max_element(sums) - sums.begin());
  return sums[most] ? resourceName(Resource(most)) : "";
}

static std::string lengthText(const Estimate &e) {
  return fmt::format("kernel {} on {}, {} {}: {:.0f} cycles = {:.2f} us", e.kernel, e.arch,
                     e.numNodes, e.numNodes == 1 ? "node" : "nodes", cyclesOf(e.cycles),
                     e.microseconds(e.cycles));
}

static std::string headText(const Estimate &e) {
  std::string text = lengthText(e) + fmt::format(" (between {:.0f} and {:.0f} cycles)\n",
                                                 cyclesOf(e.lower), cyclesOf(e.upper));
  return text + fmt::format("  {}\n  {:.0f} cycles are the launch; the buffers take {} bytes of L1 "
                            "on each core\n",
                            e.why, cyclesOf(e.launch), e.l1Bytes);
}

static std::string rateText(const Estimate &e) {
  double seconds = e.microseconds(e.cycles) * 1e-6;
  double bytes = static_cast<double>(e.traffic.dramReadBytes + e.traffic.dramWriteBytes);
  double flops = static_cast<double>(e.productFlops + e.otherFlops);
  double gbs = bytes / seconds * 1e-9, tflops = flops / seconds * 1e-12;
  std::string text = fmt::format("  DRAM {:.1f} of {:.0f} GB/s, arithmetic {:.3f} of {:.1f} "
                                 "TFLOP/s",
                                 gbs, e.peakGBs, tflops, e.peakTFlops);
  if (bytes > 0 && flops > 0) {
    double intensity = flops / bytes, ridge = e.peakTFlops * 1e3 / e.peakGBs;
    double roof = std::min(e.peakTFlops, intensity * e.peakGBs * 1e-3);
    text += fmt::format("\n  roofline: {:.1f} FLOP per byte, {} the ridge at {:.1f}; {:.0f} % of "
                        "the roof of {:.2f} TFLOP/s",
                        intensity, intensity < ridge ? "below" : "above", ridge,
                        100 * tflops / roof, roof);
  }
  return text + "\n";
}

static std::string threadText(const Estimate &e) {
  std::string text = "threads (each on the node where it ends last):\n";
  for (const ThreadEstimate &thread : e.threads)
    text +=
        fmt::format("  {:<16} ends at {:>9.0f}, waits {:>3.0f} %, most of its work: {}\n",
                    fmt::format("{} ({}, {})", thread.name, thread.node.x, thread.node.y),
                    cyclesOf(thread.end), share(thread.waited, thread.end), mostOf(thread.busy));
  return text;
}

static std::string resourceText(const Estimate &e) {
  std::string text = "resources:               critical path   busiest core or bank\n";
  for (size_t i = 0; i < kNumResources; ++i)
    if (e.path[i] || e.utilisation[i] > 0)
      text += fmt::format("  {:<20} {:>9.0f} {:>3.0f} %   {:>3.0f} %\n", resourceName(Resource(i)),
                          cyclesOf(e.path[i]), share(e.path[i], e.cycles), 100 * e.utilisation[i]);
  return text;
}

static std::string lineText(const Estimate &e) {
  std::string text = "lines (critical path; time of all nodes, waits of all nodes):\n";
  size_t shown = 0;
  for (const LineEstimate &line : e.lines) {
    if (shown++ == kShownLines)
      break;
    Ticks busy = 0;
    for (Ticks each : line.busy)
      busy += each;
    std::string at = line.line ? fmt::format("{}:{}", line.file, line.line) : "no line";
    text += fmt::format("  {:>9.0f} {:>3.0f} %  {:>11.0f} {:>11.0f}  {:<18} {}\n",
                        cyclesOf(line.path), share(line.path, e.cycles), cyclesOf(busy),
                        cyclesOf(line.waited), mostOf(line.pathOf), at);
  }
  return text;
}

static std::string zoneText(const Estimate &e) {
  std::string text = e.zones.empty() ? "" : "zones of signposts (cycles in all, longest, count):\n";
  size_t shown = 0;
  for (const ZoneEstimate &zone : e.zones) {
    if (shown++ == kShownLines)
      return text + fmt::format("  and {} more\n", e.zones.size() - kShownLines);
    text += fmt::format("  {:>9.0f} {:>9.0f} {:>6}  {} of {} ({}, {})\n",
                        cyclesOf(zone.times.total), cyclesOf(zone.times.longest), zone.times.count,
                        zone.name, zone.thread, zone.node.x, zone.node.y);
  }
  return text;
}

static std::string changeText(const Estimate &e) {
  std::string text = "what if:                              cycles    gain   L1 bytes\n", others;
  size_t replays = 0;
  for (const WhatIf &each : e.whatIfs) {
    if (!each.why.empty())
      others += fmt::format("  {}: {}\n", each.change, each.why);
    else if (each.isRun || replays++ < kShownChanges)
      text += fmt::format("  {:<34} {:>9.0f}  {:>4.1f} %  {:>8}\n", each.change,
                          cyclesOf(each.cycles), share(e.cycles - each.cycles, e.cycles),
                          each.l1Bytes ? fmt::format("{:+}", each.l1Bytes) : "");
  }
  if (!e.tuneCommand.empty())
    text += fmt::format("  all combinations: {}\n", e.tuneCommand);
  return text + (others.empty() ? "" : "not possible:\n" + others);
}

std::string timing::renderText(const Estimate &e) {
  if (!e.failure.empty())
    return fmt::format("cannot estimate the time of kernel {}: {}\n", e.kernel, e.failure);
  if (!e.isWhole)
    return lengthText(e) + "\n";
  std::string text = fmt::format("advice: {}\n", e.advice);
  text += headText(e) + rateText(e) + threadText(e) + resourceText(e) + lineText(e) + zoneText(e) +
          changeText(e);
  text += "not modelled:\n";
  for (const std::string &flag : e.notModelled)
    text += fmt::format("  {}\n", flag);
  return text;
}

//===--------------------------------------------------------------------------===//
// JSON
//===--------------------------------------------------------------------------===//

static llvm::json::Object resourcesOf(const std::array<Ticks, kNumResources> &sums) {
  llvm::json::Object object;
  for (size_t i = 0; i < kNumResources; ++i)
    if (sums[i])
      object[llvm::StringRef(resourceName(Resource(i)))] = cyclesOf(sums[i]);
  return object;
}

static llvm::json::Array threadsOf(const Estimate &e) {
  llvm::json::Array array;
  for (const ThreadEstimate &thread : e.threads)
    array.push_back(llvm::json::Object{{"name", thread.name},
                                       {"node", llvm::json::Array{thread.node.x, thread.node.y}},
                                       {"end", cyclesOf(thread.end)},
                                       {"waited", cyclesOf(thread.waited)},
                                       {"busy", resourcesOf(thread.busy)}});
  return array;
}

static llvm::json::Array linesOf(const Estimate &e) {
  llvm::json::Array array;
  for (const LineEstimate &line : e.lines)
    array.push_back(llvm::json::Object{{"file", line.file},
                                       {"line", line.line},
                                       {"path", cyclesOf(line.path)},
                                       {"path_of", resourcesOf(line.pathOf)},
                                       {"waited", cyclesOf(line.waited)},
                                       {"busy", resourcesOf(line.busy)}});
  return array;
}

static llvm::json::Array zonesOf(const Estimate &e) {
  llvm::json::Array array;
  for (const ZoneEstimate &zone : e.zones)
    array.push_back(llvm::json::Object{{"name", zone.name},
                                       {"thread", zone.thread},
                                       {"node", llvm::json::Array{zone.node.x, zone.node.y}},
                                       {"count", zone.times.count},
                                       {"cycles", cyclesOf(zone.times.total)},
                                       {"longest", cyclesOf(zone.times.longest)}});
  return array;
}

static llvm::json::Array changesOf(const Estimate &e) {
  llvm::json::Array array;
  for (const WhatIf &each : e.whatIfs)
    if (each.why.empty())
      array.push_back(llvm::json::Object{
          {"change", each.change}, {"cycles", cyclesOf(each.cycles)}, {"l1_bytes", each.l1Bytes}});
  return array;
}

// Returns the changes with which the kernel fails, or has other results.
static llvm::json::Array refusedOf(const Estimate &e) {
  llvm::json::Array array;
  for (const WhatIf &each : e.whatIfs)
    if (!each.why.empty())
      array.push_back(llvm::json::Object{{"change", each.change}, {"why", each.why}});
  return array;
}

static llvm::json::Object utilisationOf(const Estimate &e) {
  llvm::json::Object utilisation;
  for (size_t i = 0; i < kNumResources; ++i)
    utilisation[llvm::StringRef(resourceName(Resource(i)))] = e.utilisation[i];
  return utilisation;
}

static void addWhole(const Estimate &e, llvm::json::Object &object) {
  object["advice"] = e.advice;
  object["lower"] = cyclesOf(e.lower);
  object["upper"] = cyclesOf(e.upper);
  object["bounds"] = e.why;
  object["what_if"] = changesOf(e);
  object["not_possible"] = refusedOf(e);
  if (!e.tuneCommand.empty())
    object["tune"] = e.tuneCommand;
  object["critical_path"] = resourcesOf(e.path);
  object["utilisation"] = utilisationOf(e);
  object["threads"] = threadsOf(e);
  object["lines"] = linesOf(e);
  object["zones"] = zonesOf(e);
  object["dram_read_bytes"] = static_cast<int64_t>(e.traffic.dramReadBytes);
  object["dram_write_bytes"] = static_cast<int64_t>(e.traffic.dramWriteBytes);
  object["core_bytes"] = static_cast<int64_t>(e.traffic.coreBytes);
  object["flops"] = static_cast<int64_t>(e.productFlops + e.otherFlops);
  object["peak_gb_per_s"] = e.peakGBs;
  object["peak_tflop_per_s"] = e.peakTFlops;
  object["not_modelled"] = llvm::json::Array(e.notModelled);
}

std::string timing::renderJson(const Estimate &e) {
  llvm::json::Object object{{"kernel", e.kernel}, {"arch", e.arch}, {"nodes", e.numNodes}};
  if (!e.failure.empty()) {
    object["failure"] = e.failure;
    return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
  }
  object["cycles"] = cyclesOf(e.cycles);
  object["launch"] = cyclesOf(e.launch);
  object["us"] = e.microseconds(e.cycles);
  object["clock_mhz"] = e.clockMHz;
  object["steps"] = static_cast<int64_t>(e.numSteps);
  object["l1_bytes"] = static_cast<int64_t>(e.l1Bytes);
  if (e.isWhole)
    addWhole(e, object);
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}
