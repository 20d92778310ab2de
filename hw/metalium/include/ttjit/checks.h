//===- checks.h - the language's checks in emitted code -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions for checks of the language. Only code emitted for the host calls them (EmitCpp.h).
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

#include "hw/facts/FaultText.h"

namespace ttjit::metalium {

template <typename T> constexpr char kindOf() {
  return __is_same(T, float) ? 'f' : __is_same(T, bool) ? 'b' : 'i';
}
inline uint32_t wordOf(float value) { return __builtin_bit_cast(uint32_t, value); }
template <typename T> uint32_t wordOf(T value) { return static_cast<uint32_t>(value); }

/// Faults unless `holds`. The fault's message is `text`, with the numbers in its fields.
template <typename... Numbers>
inline void checkAssert(bool holds, const char *text, Numbers... numbers) {
  if (holds)
    return;
  const char kinds[] = {kindOf<Numbers>()..., 0};
  const uint32_t words[] = {wordOf(numbers)..., 0};
  check(ttl_hw_text_fault(thread(), text, kinds, words));
}

/// Reports a fault of the protocol of buffers and pipes with the message `text` unless `holds`.
inline void checkProtocol(bool holds, const char *text) {
  const char kinds[] = {hw::kProtocolFault, 0};
  if (!holds)
    check(ttl_hw_text_fault(thread(), text, kinds, nullptr));
}

/// Reports a copy of elements that another device of the mesh holds, unless `holds`. The fault's
/// message is `text`, with the numbers in its fields.
template <typename... Numbers>
inline void checkMeshAccess(bool holds, const char *text, Numbers... numbers) {
  if (holds)
    return;
  const char kinds[] = {hw::kMeshAccessFault, kindOf<Numbers>()..., 0};
  const uint32_t words[] = {wordOf(numbers)..., 0};
  check(ttl_hw_text_fault(thread(), text, kinds, words));
}

/// Faults unless 0 <= index and index + size <= bound: see ttl_hw_check_index.
inline void checkIndex(int64_t index, int64_t size, int64_t bound, int32_t dim,
                       const char *object) {
  if (index < 0 || index > bound - size)
    check(ttl_hw_check_index(thread(), index, size, bound, dim, object));
}

/// Does what ttl_wait_any() does on a card, where it polls. If no word ever gets its value, the
/// device reports a deadlock.
template <typename... Words> inline int32_t waitAny(int32_t start, Words... words) {
  constexpr int32_t count = sizeof...(words) / 2;
  const uint32_t pairs[] = {static_cast<uint32_t>(words)...};
  uint32_t addresses[count], values[count], place = 0;
  for (int32_t i = 0; i < count; ++i) {
    addresses[i] = pairs[2 * i];
    values[i] = pairs[2 * i + 1];
  }
  check(ttl_hw_semaphore_wait_any(thread(), addresses, values, count, start, &place));
  return static_cast<int32_t>(place);
}

/// Does what ttl_reset_buffers() does on a card.
inline void resetBuffers(int32_t reset, uint32_t low, uint32_t high) {
  check(ttl_hw_cb_reset(thread(), reset, low, high));
}

} // namespace ttjit::metalium
