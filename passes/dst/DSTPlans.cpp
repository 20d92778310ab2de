//===- DSTPlans.cpp - tries DST schedules for a compute -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTPlans.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

std::optional<DSTSchedule> ttjit::chooseSchedule(ttl::ComputeOp compute, int capacity,
                                                 const DSTChoices &choices) {
  using Order = TileOrder (*)(ttl::ComputeOp);
  const DSTPlan published{choices.lazyLoads ? Loads::AtFirstUse : Loads::AtStart,
                          /*outputsApart=*/true, choices.expireAtUse};
  const DSTPlan tight{Loads::AtFirstUse, /*outputsApart=*/false, /*expireAtUse=*/true};
  const DSTPlan tightest{Loads::AtEachUse, /*outputsApart=*/false, /*expireAtUse=*/true};
  const bool marked = hasDSTMarkers(compute); // the program fixes the order of the ops
  SmallVector<std::pair<Order, DSTPlan>> plans = {
      {choices.schedule && !marked ? pressureOrder : writtenOrder, published}};
  if (marked)
    plans.push_back({writtenOrder, tight});
  else
    plans.append({{depthFirstOrder, tight},
                  {writtenOrder, tight},
                  {depthFirstOrder, tightest},
                  {writtenOrder, tightest}});
  for (auto [order, plan] : plans) {
    DSTSchedule schedule(compute, order(compute), plan);
    if (schedule.assign(capacity))
      return schedule;
  }
  return std::nullopt;
}
