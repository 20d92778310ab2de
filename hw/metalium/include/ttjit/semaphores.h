//===- semaphores.h - words in L1 through which cores signal --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/addresses.h"

inline uintptr_t get_semaphore(uint32_t id) {
  return ttl_hw_get_semaphore(ttjit::metalium::thread(), static_cast<int32_t>(id));
}

#define TTJIT_WORD_CALL(name)                                                                      \
  inline void name(volatile tt_l1_ptr uint32_t *word, uint32_t value) {                            \
    using namespace ttjit::metalium;                                                               \
    check(ttl_hw_##name(thread(), addressOf(word), value));                                        \
  }
TTJIT_WORD_CALL(noc_semaphore_set)
TTJIT_WORD_CALL(noc_semaphore_wait)
TTJIT_WORD_CALL(noc_semaphore_wait_min)
#undef TTJIT_WORD_CALL

template <bool posted = false>
inline void noc_semaphore_inc(uint64_t address, uint32_t increment, uint8_t = noc_index,
                              uint8_t = 1) {
  ttjit::metalium::check(ttl_hw_noc_semaphore_inc(ttjit::metalium::thread(), address, increment));
}
template <bool posted = false>
inline void noc_semaphore_inc_multicast(uint64_t address, uint32_t increment, uint32_t num_dests,
                                        uint8_t = noc_index, uint8_t = 4) {
  ttjit::metalium::check(ttl_hw_noc_semaphore_inc_multicast(
      ttjit::metalium::thread(), address, increment, static_cast<int32_t>(num_dests)));
}
inline void noc_semaphore_set_remote(uint32_t from_l1, uint64_t to, uint8_t = noc_index) {
  ttjit::metalium::check(ttl_hw_noc_semaphore_set_remote(ttjit::metalium::thread(), from_l1, to));
}

#define TTJIT_MULTICAST(name)                                                                      \
  inline void name(uint32_t from_l1, uint64_t to, uint32_t num_dests, bool = false,                \
                   uint8_t = noc_index, uint8_t = 4) {                                             \
    ttjit::metalium::check(                                                                        \
        ttl_hw_##name(ttjit::metalium::thread(), from_l1, to, static_cast<int32_t>(num_dests)));   \
  }
TTJIT_MULTICAST(noc_semaphore_set_multicast)
TTJIT_MULTICAST(noc_semaphore_set_multicast_loopback_src)
#undef TTJIT_MULTICAST
