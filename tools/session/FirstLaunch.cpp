//===- FirstLaunch.cpp - interprets launches while code is generated ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/FirstLaunch.h"

#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

// Largest estimated time of a launch, in steps of about 10 ns: the time of an op on numbers.
static constexpr double kMaxSteps = 3e6;
// Steps of a call of the device. Most calls work on a tile.
static constexpr double kCallSteps = 20;
// Assumed trips of a loop whose bounds are known only at run time.
static constexpr double kUnknownTrips = 32;
// Steps of a while loop. It may run for ever, and the interpreter notices that late.
static constexpr double kEndless = kMaxSteps;

static double stepsOf(Region &region);

// Returns the largest number of trips of a loop whose lower bound is not negative.
static double tripsOf(scf::ForOp loop) {
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  int64_t lower = getConstantIntValue(loop.getLowerBound()).value_or(0);
  if (!upper || !step || *step <= 0)
    return kUnknownTrips;
  return std::max(0.0, (static_cast<double>(*upper) - lower) / *step);
}

static double stepsOf(Operation &op) {
  if (isa<scf::WhileOp>(op))
    return kEndless;
  double steps = isa<ttkernel::TTKernelDialect>(op.getDialect()) ? kCallSteps : 1;
  for (Region &region : op.getRegions())
    steps += stepsOf(region);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    steps *= tripsOf(loop);
  return steps;
}

static double stepsOf(Region &region) {
  double steps = 0;
  for (Operation &op : region.getOps())
    steps += stepsOf(op);
  return steps;
}

bool session::mayStartInterpreted(const Options &options) {
  return options.engine == EngineChoice::Auto && !options.records.stats &&
         options.passes.dump.empty() && !options.jit.perfMap && !options.jit.gdb && !options.debug;
}

bool session::isQuicklyInterpreted(const LaunchPlan &plan) {
  double steps = 0;
  for (const interp::ThreadSource &source : plan.sources)
    for (Region &region : source.op->getRegions())
      steps += stepsOf(region);
  return steps * plan.program.numNodes < kMaxSteps;
}
