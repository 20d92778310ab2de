//===- Passes.h - passes of stage ttkernel --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_PASSES_H
#define TTJIT_PASSES_TTKERNEL_PASSES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/ttkernel/Passes.h.inc"

/// Adds the passes on threads that lower stage loops to calls of the device API, in order.
template <typename ManagerT> void addDeviceLowerings(ManagerT &manager) {
  manager.addPass(createTTLCoalesceDMA());
  manager.addPass(createTTLLowerCompute());
  manager.addPass(createTTLLowerDataMovement());
  manager.addPass(createTTLLowerSynchronization());
}

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_PASSES_H
