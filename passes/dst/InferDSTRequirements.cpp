//===- InferDSTRequirements.cpp - ttl-infer-dst-requirements --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: DST holds 16-bit or 32-bit data, which halves its capacity; kernels
// need not say which they want.
//
// 1. A program without compute_config gets one: fp32_dest_acc_en exactly if a
//    buffer of its compute thread, the compiler's included, holds elements of
//    32 bits.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/dst/Passes.h"

#include "passes/dst/DSTCapacity.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINFERDSTREQUIREMENTS
#include "passes/dst/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

struct InferDSTRequirements : ttjit::impl::TTLInferDSTRequirementsBase<InferDSTRequirements> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation())) {
      ttl::ProgramOp program = binding.program;
      if (!binding.isCompute() || program.getComputeConfig())
        continue;
      program.setComputeConfigAttr(ttcore::ComputeConfigAttr::get(
          &getContext(), hasWideBuffer(binding.thread.getResources()),
          /*dst_full_sync_en=*/false, /*math_approx_mode=*/false, ttcore::MathFidelity::HiFi4));
      ++numInferred;
    }
  }
};

} // namespace
