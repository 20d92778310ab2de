//===- DeviceAccesses.h - accesses through device addresses ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_DEVICEACCESSES_H
#define TTJIT_JIT_DEVICEACCESSES_H

#include "llvm/IR/Function.h"

namespace ttjit::jit {

/// Replaces the pointer of each access that may go through a pointer made from an integer by the
/// result of ttl_hw_l1_pointer. The first argument of `function` is its KernelThread.
void useL1ForIntegers(llvm::Function &function);

} // namespace ttjit::jit

#endif // TTJIT_JIT_DEVICEACCESSES_H
