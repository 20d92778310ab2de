//===- external.h - C++ functions of the user in emitted code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Code that is emitted for the host calls these around a call of a C++ function of the user. They
// check what the user states about the function (hw/abi/ExternApi.h). The macro
// TTJIT_EXTERNAL_CALLS makes the functions of device.h report what they do with buffers, and
// TTJIT_OWN_ARGS is the number of the thread's own arguments.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

namespace ttjit::metalium {

/// The thread enters the function when this object is made, and leaves it when end() is called.
template <typename... Buffers> struct ExternalCall {
  int32_t buffers[sizeof...(Buffers) + 1];

  ExternalCall(const char *callee, const char *contract, Buffers... ids)
      : buffers{bufferOf(static_cast<uint32_t>(ids))..., 0} {
    check(ttl_hw_extern_begin(thread(), callee, contract, buffers, sizeof...(Buffers),
                              TTJIT_OWN_ARGS));
  }
  void end() { check(ttl_hw_extern_end(thread())); }
};
template <typename... Buffers>
ExternalCall(const char *, const char *, Buffers...) -> ExternalCall<Buffers...>;

/// Returns a function's result as a number of the language. Faults if it does not fit 32 bits.
inline int32_t narrowResult(int64_t value) {
  failIf(value != static_cast<int32_t>(value),
         "the C++ function returns a number that an integer of 32 bits cannot hold");
  return static_cast<int32_t>(value);
}
inline int32_t conditionResult(int64_t value, const char *callee, int32_t condition) {
  check(ttl_hw_extern_condition(thread(), callee, condition, value != 0));
  return value == static_cast<int32_t>(value) ? static_cast<int32_t>(value) : 1;
}

} // namespace ttjit::metalium
