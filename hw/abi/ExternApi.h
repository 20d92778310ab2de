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
/// What a function does with pages of a buffer; numbered as EffectKind of the dialect ttcpp.
enum class ExternEffect : int32_t { Reserve, Push, Wait, Pop };

/// Returns whether the thread is in a C++ function of the user.
bool isInExternalCall(KernelThread *thread);
} // namespace ttjit::hw

extern "C" {

/// The thread enters the function `callee`. `buffers` are the ids of its `count` dependencies.
/// `contract` has a letter for each of them: `e` if effects are stated, `i` if the function only
/// inspects it, `o` if nothing is stated. A `+` follows if the function may use all other buffers,
/// too. Then follows " w0:2" for each effect: r, p, w or q (reserve, push, wait, pop), the number
/// of the dependency and the number of pages. All pointers must stay valid until the function ends.
/// Behind the first `own` arguments of the node may be others, with their number before them: they
/// are the arguments that the function sees.
ttjit::hw::Status ttl_hw_extern_begin(ttjit::hw::KernelThread *, const char *callee,
                                      const char *contract, const int32_t *buffers, int32_t count,
                                      int32_t own);
/// The thread is about to use pages of buffer `cb`. A fault if the contract of the function that it
/// is in does not allow that; Ok outside of functions.
ttjit::hw::Status ttl_hw_extern_effect(ttjit::hw::KernelThread *, ttjit::hw::ExternEffect kind,
                                       int32_t cb, int32_t pages);
/// The function returns. A fault if a stated effect is missing.
ttjit::hw::Status ttl_hw_extern_end(ttjit::hw::KernelThread *);

/// A call with the condition number `condition` returned a value that is true or false. A fault if
/// another call of the node had another result during this run.
ttjit::hw::Status ttl_hw_extern_condition(ttjit::hw::KernelThread *, const char *callee,
                                          int64_t condition, int32_t isTrue);
}

/// X(name) for every function above.
#define HW_EXTERN_API(X)                                                                           \
  X(ttl_hw_extern_begin)                                                                           \
  X(ttl_hw_extern_effect) X(ttl_hw_extern_end) X(ttl_hw_extern_condition)

#endif // TTJIT_HW_ABI_EXTERNAPI_H
