//===- Passes.td - from tt-mlir's d2m to ttl -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_PASSES_TD
#define TTJIT_PASSES_D2M_PASSES_TD

include "passes/common/PassBase.td"

def D2MToTTL : TTLPass<"d2m-to-ttl"> {
  let summary = "Turn each d2m.generic into a kernel and its launch";
  let statistics = [Statistic<"numKernels", "kernels", "Number of kernels that were made">];
}

#endif // TTJIT_PASSES_D2M_PASSES_TD
