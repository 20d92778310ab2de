//===- Passes.td - passes of stage threads ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_THREADS_PASSES_TD
#define TTJIT_PASSES_THREADS_PASSES_TD

include "passes/common/PassBase.td"

def TTLExpandThreads : TTLPass<"ttl-expand-threads"> {
  let summary = "Turn each kernel into a program and one function per thread";
  let statistics = [Statistic<"numThreads", "threads", "Number of threads that became functions">];
}

#endif // TTJIT_PASSES_THREADS_PASSES_TD
