//===- Resets.cpp - lists the resets of a program -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/Resets.h"

#include "diagnostics/Diagnostics.h"
#include "ir/TTKernel/TTKernelResetOps.h"
#include "ir/TTL/TTLResetOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

template <typename OpT> static void add(OpT op, std::vector<hw::ResetConfig> &resets) {
  size_t number = op.getReset();
  resets.resize(std::max(resets.size(), number + 1));
  if (resets[number].call.empty())
    resets[number] = {op.getCall().str(), diagnostics::toSourceLocation(op.getLoc())};
}

void plan::findResets(LaunchPlan &plan) {
  for (const interp::ThreadSource &source : plan.sources)
    source.op->walk([&](Operation *op) {
      if (auto reset = dyn_cast<ttl::CBResetOp>(op))
        add(reset, plan.program.resets);
      else if (auto lowered = dyn_cast<ttkernel::CBResetOp>(op))
        add(lowered, plan.program.resets);
    });
}
