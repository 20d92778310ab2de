//===- ExternApi.h - checks of C++ functions of the user ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel may call a C++ function of the user and state what it does with circular buffers (ops of
// the dialect ttcpp). The emitted code of such a kernel calls these functions, which compare what
// the function does with what is stated. Other kernels do not use them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_EXTERNAPI_H
#define TTJIT_HW_ABI_EXTERNAPI_H

#include "hw/abi/KernelApi.h"

namespace ttjit::hw {
/// What a function does with pages of a buffer. The numbers are those of ttcpp's EffectKind.
enum class ExternEffect : int32_t { Reserve, Push, Wait, Pop };

/// Returns whether the thread is in a C++ function of the user.
bool isInExternalCall(KernelThread *thread);
} // namespace ttjit::hw

extern "C" {

/// Call it when the thread enters the function `callee`. `buffers` has the ids of its `count`
/// dependencies. `contract` has a letter for each: `e` if effects are stated, `i` if the function
/// only inspects it, `o` if nothing is stated. A `+` follows if the function may also use all other
/// buffers. Then follows " w0:2" for each effect: r, p, w or q (reserve, push, wait, pop), the
/// number of the dependency and the number of pages. The pointers must stay valid until
/// ttl_hw_extern_end. The thread itself has `own` arguments. If more follow, the first of them is
/// the number of the rest, which are the arguments that the function sees.
ttjit::hw::Status ttl_hw_extern_begin(ttjit::hw::KernelThread *, const char *callee,
                                      const char *contract, const int32_t *buffers, int32_t count,
                                      int32_t own);
/// Call it before the thread uses pages of buffer `cb`. Faults if the thread is in a function whose
/// contract does not allow the use.
ttjit::hw::Status ttl_hw_extern_effect(ttjit::hw::KernelThread *, ttjit::hw::ExternEffect kind,
                                       int32_t cb, int32_t pages);
/// Call it when the function returns. Faults if a stated effect did not happen.
ttjit::hw::Status ttl_hw_extern_end(ttjit::hw::KernelThread *);

/// Call it when a call of `callee` for condition number `condition` has returned true or false.
/// Faults if another call for this condition on the same node returned the other value in this run.
ttjit::hw::Status ttl_hw_extern_condition(ttjit::hw::KernelThread *, const char *callee,
                                          int64_t condition, int32_t isTrue);
}

/// X(name) for every function above.
#define HW_EXTERN_API(X)                                                                           \
  X(ttl_hw_extern_begin)                                                                           \
  X(ttl_hw_extern_effect) X(ttl_hw_extern_end) X(ttl_hw_extern_condition)

#endif // TTJIT_HW_ABI_EXTERNAPI_H
