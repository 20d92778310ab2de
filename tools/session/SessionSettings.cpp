//===- SessionSettings.cpp - options of kernels in one session -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/SessionSettings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace ttjit;
using namespace ttjit::session;

std::pair<int, int> SessionSettings::autoGrid() const {
  return options.grid.value_or(std::pair(options.arch.gridX, options.arch.gridY));
}

/// Which passes run, and how they assign DST registers.
static std::string passesKey(const Options &options) {
  const DSTChoices &dst = options.dst;
  std::string key = fmt::format(" dst={}{}{}{}{} from={} to={}", int(dst.schedule),
                                int(dst.lazyLoads), int(dst.expireAtUse), int(dst.fpu),
                                int(dst.packBlocks), options.startFrom, options.stage);
  for (const InsertedPass &inserted : options.inserted)
    key += fmt::format(" {}:{}", inserted.after, inserted.passes);
  return key + (options.dryRun ? " dry" : "");
}

// A dump is part of the key, because only a compilation prints it.
std::string SessionSettings::key() const {
  auto [columns, rows] = autoGrid();
  return fmt::format("engine={} arch={} grid={}x{} strict={} tile-loops={} block-transfers={} "
                     "cpu={} level={} emit={},{} limits={},{} dump={} schedule={}:{}{} debug={} "
                     "compile-only={}",
                     int(options.engine), options.archName, columns, rows, options.strict,
                     options.tileLoops, options.blockTransfers, options.hostCPU, options.optLevel,
                     options.emitDir, int(options.metalium.generation), options.maxBuffers,
                     options.maxL1, fmt::join(options.dump, ","), options.schedulePath,
                     options.scheduleText, passesKey(options), options.debug, options.compileOnly);
}

hw::RunOptions SessionSettings::runOptions() const {
  hw::RunOptions result;
  result.schedule = options.schedule;
  result.hostThreads = options.hostThreads;
  result.mayUseHostThreads = options.defaultSchedule;
  result.delivery = options.dma;
  result.seed = options.seed;
  result.stepLimit = options.limit;
  result.aliases = options.aliases;
  return result;
}
