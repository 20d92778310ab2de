//===- Border.h - calls of the kernel API by engines ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code has no unwind tables, so no exception may leave a call of the kernel
// API. A fault formats a message, which needs locks and stack, so no call may begin on
// a stack that is nearly used up. Guarded<function>::call handles both cases.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CALLS_BORDER_H
#define TTJIT_HW_CALLS_BORDER_H

#include "hw/abi/KernelApi.h"
#include "hw/abi/KernelThread.h"

#include <type_traits>

namespace ttjit::hw {

/// Returns whether the running thread's stack has room for any call of the kernel API.
inline bool hasHeadroom(const KernelThread *thread) {
  return static_cast<const uint8_t *>(__builtin_frame_address(0)) >= thread->stackLimit;
}

/// Ends the run with the fault "stack overflow". The caller must have headroom left, or
/// return at once.
Status faultStackOverflow(KernelThread *thread);

/// Ends the run with the fault "stack overflow" when the thread's stack has no room for the
/// message. The stack frames of the thread are lost.
[[noreturn]] void overflowStack(KernelThread *thread);

/// Turns the exception that is being handled into the run's fault, which ends the run.
Status faultFromException(KernelThread *thread) noexcept;

template <auto function, typename = decltype(function)> struct Guarded;

template <auto function, typename Result, typename... Args>
struct Guarded<function, Result (*)(KernelThread *, Args...)> {
  static Result call(KernelThread *thread, Args... args) noexcept {
    if (!hasHeadroom(thread)) [[unlikely]]
      overflowStack(thread);
    try {
      return function(thread, args...);
    } catch (...) {
      Status status = faultFromException(thread);
      if constexpr (std::is_same_v<Result, Status>)
        return status;
      else
        return Result(); // the next call of the thread returns Cancelled
    }
  }
};

/// ttl_hw_abandon is called directly: it throws nothing and needs little stack.
template <> struct Guarded<&ttl_hw_abandon> {
  [[noreturn]] static void call(KernelThread *thread) noexcept { ttl_hw_abandon(thread); }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_CALLS_BORDER_H
