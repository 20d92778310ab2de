//===- InferDSTRequirements.cpp - ttl-infer-dst-requirements ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: DST registers hold 16-bit or 32-bit data, and 32-bit data halve their
// number. A kernel need not say which it wants.
//
// 1. Give each program without compute_config one: set fp32_dest_acc_en if and only if
//    a buffer of its compute thread (also a compiler-made one) holds elements of 32
//    bits, or integers, which are computed with 32 bits.
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
          &getContext(), hasWideBuffer(usedResources(binding)),
          /*dst_full_sync_en=*/false, /*math_approx_mode=*/false, ttcore::MathFidelity::HiFi4));
      ++numInferred;
    }
  }
};

} // namespace
