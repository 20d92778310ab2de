//===- Advice.cpp - the change that gains most --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/Advice.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;

// Returns what authors can do if a kernel needs too much of a resource.
static const char *remedyFor(Resource resource) {
  switch (resource) {
  case Resource::Calls:
    return "transfer more bytes per call (larger pages, or adjacent pages in one copy), or use "
           "larger blocks";
  case Resource::Scalars:
    return "move address arithmetic out of the loop, or use larger blocks";
  case Resource::NocLatency:
    return "start several copies before the first wait()";
  case Resource::NocRate:
    return "let each core read less: multicast what several cores need, or split the work over "
           "more cores";
  case Resource::Multicast:
    return "multicast larger blocks less often";
  case Resource::DramLatency:
    return "start several copies before the first wait(), or read the next block while this one is "
           "computed";
  case Resource::DramRate:
    return "read each page once and multicast it, or keep it in L1";
  case Resource::Unpack:
    return "use operands of fewer bytes (bfloat16, bfp8), or compute more with each tile that is "
           "unpacked";
  case Resource::Matrix:
    return "use a lower math fidelity, or more cores";
  case Resource::Vector:
    return "use cheaper functions (approximations, fewer of them), or more cores";
  case Resource::Pack:
    return "accumulate in DST registers and pack once";
  case Resource::Init:
    return "order the operations so that equal ones follow each other";
  case Resource::Sections:
    return "compute several tiles in each DST section (larger blocks)";
  case Resource::Handshake:
    return "use larger blocks, so that threads hand over less often";
  case Resource::LinkRate:
    return "let neighbours exchange data, or move the transfers of one thread to the other NoC";
  case Resource::FabricLatency:
    return "send larger blocks to the other chip, and go on before they arrive";
  case Resource::FabricRate:
    return "send less to the other chips, or over more than one link";
  }
  return "";
}

// Returns the line with the largest share of the resource's part of the critical path.
static const LineEstimate *worstLine(const Estimate &estimate, Resource resource) {
  auto ofPath = [&](const LineEstimate &line) { return line.pathOf[size_t(resource)]; };
  auto found = std::ranges::max_element(estimate.lines, {}, ofPath);
  return found == estimate.lines.end() || ofPath(*found) == 0 ? nullptr : &*found;
}

static double gain(const Estimate &estimate, const WhatIf &whatIf) {
  return 100.0 * static_cast<double>(estimate.cycles - whatIf.cycles) /
         static_cast<double>(estimate.cycles);
}

// Least gain in percent for which a change of a buffer is advised. Such a change is easy.
static constexpr double kWorthwhile = 3;

// Returns the advice to change a grid or a block as a run has tried.
static std::string adviceOfRun(const Estimate &estimate, const WhatIf &change) {
  std::string bytes =
      change.l1Bytes > 0 ? fmt::format(", for {} bytes of L1 on each core", change.l1Bytes) : "";
  return fmt::format("use {}: {:.0f} % less time{}", change.change, gain(estimate, change), bytes);
}

std::string timing::adviceFor(const Estimate &estimate) {
  auto changes = [](const WhatIf &each) {
    return each.why.empty() && (each.isRun || !each.buffer.empty());
  };
  auto change = std::ranges::find_if(estimate.whatIfs, changes);
  bool isWorthwhile = change != estimate.whatIfs.end() && gain(estimate, *change) >= kWorthwhile;
  if (isWorthwhile && change->isRun)
    return adviceOfRun(estimate, *change);
  if (isWorthwhile)
    return fmt::format("use block_count={} for '{}': {:.0f} % less time, for {} bytes of L1 on "
                       "each core",
                       change->blockCount, change->buffer, gain(estimate, *change),
                       change->l1Bytes);
  auto free = std::ranges::find_if(estimate.whatIfs,
                                   [](const WhatIf &each) { return each.free.has_value(); });
  if (free == estimate.whatIfs.end() || gain(estimate, *free) < kWorthwhile)
    return "nothing here limits the kernel alone: give each core more work, so that the launch "
           "counts less";
  std::string where;
  if (const LineEstimate *line = worstLine(estimate, *free->free))
    where = fmt::format(" at {}:{}", line->file, line->line);
  return fmt::format("{}{} limits the kernel (up to {:.0f} % less time without it): {}",
                     resourceName(*free->free), where, gain(estimate, *free),
                     remedyFor(*free->free));
}
