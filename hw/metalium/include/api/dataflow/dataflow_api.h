//===- dataflow_api.h - the data movement API on the host -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

inline constexpr uint8_t noc_index = TTJIT_NOC_INDEX;

inline uint32_t get_write_ptr(uint32_t cb) {
  using namespace ttjit::metalium;
  return cb >= kFixedAddress ? cb - kFixedAddress : ttl_hw_get_write_ptr(thread(), bufferOf(cb));
}
inline uint32_t get_read_ptr(uint32_t cb) {
  using namespace ttjit::metalium;
  return cb >= kFixedAddress ? cb - kFixedAddress : ttl_hw_get_read_ptr(thread(), bufferOf(cb));
}

//===--------------------------------------------------------------------------===//
// Addresses of other cores
//===--------------------------------------------------------------------------===//

namespace ttjit::metalium {
/// Indexed by a column or row of the compute grid, as the arrays of the card's firmware.
template <int32_t (*convert)(hw::KernelThread *, int32_t)> struct VirtualCoordinates {
  uint8_t operator[](uint32_t logical) const {
    return static_cast<uint8_t>(convert(thread(), static_cast<int32_t>(logical)));
  }
};

inline uint32_t addressOf(volatile uint32_t *word) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(word));
}
} // namespace ttjit::metalium

inline constexpr ttjit::metalium::VirtualCoordinates<ttl_hw_convert_logical_x_to_translated>
    worker_logical_col_to_virtual_col;
inline constexpr ttjit::metalium::VirtualCoordinates<ttl_hw_convert_logical_y_to_translated>
    worker_logical_row_to_virtual_row;

inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address) {
  return ttl_hw_get_noc_addr(ttjit::metalium::thread(), static_cast<int32_t>(x),
                             static_cast<int32_t>(y), address);
}

/// On NOC_1 a rectangle begins at its far corner; the emulated device wants the near one.
inline uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end,
                                       uint32_t y_end, uint32_t address) {
  auto at = [&](uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    return ttl_hw_get_noc_multicast_addr(ttjit::metalium::thread(), static_cast<int32_t>(x0),
                                         static_cast<int32_t>(y0), static_cast<int32_t>(x1),
                                         static_cast<int32_t>(y1), address);
  };
  return noc_index == 0 ? at(x_start, y_start, x_end, y_end) : at(x_end, y_end, x_start, y_start);
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

template <typename Accessor>
inline void noc_async_read_page(uint32_t page, const Accessor &accessor, uint32_t l1_address) {
  ttjit::metalium::check(ttl_hw_noc_async_read_page(
      ttjit::metalium::thread(), static_cast<int32_t>(page), accessor.tensor, l1_address));
}
template <typename Accessor>
inline void noc_async_write_page(uint32_t page, const Accessor &accessor, uint32_t l1_address) {
  ttjit::metalium::check(ttl_hw_noc_async_write_page(
      ttjit::metalium::thread(), static_cast<int32_t>(page), accessor.tensor, l1_address));
}
inline void noc_async_read(uint64_t from, uint32_t to_l1, uint32_t size) {
  ttjit::metalium::check(
      ttl_hw_noc_async_read(ttjit::metalium::thread(), from, to_l1, static_cast<int32_t>(size)));
}
inline void noc_async_write(uint32_t from_l1, uint64_t to, uint32_t size) {
  ttjit::metalium::check(
      ttl_hw_noc_async_write(ttjit::metalium::thread(), from_l1, to, static_cast<int32_t>(size)));
}

// `linked` transfers take the same path through the NoC, which the emulated device does not model.
#define TTJIT_MULTICAST(name)                                                                      \
  inline void name(uint32_t from_l1, uint64_t to, uint32_t size, uint32_t num_dests,               \
                   bool = false) {                                                                 \
    ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread(), from_l1, to,                   \
                                         static_cast<int32_t>(size),                               \
                                         static_cast<int32_t>(num_dests)));                        \
  }
TTJIT_MULTICAST(noc_async_write_multicast)
TTJIT_MULTICAST(noc_async_write_multicast_loopback_src)
#undef TTJIT_MULTICAST

#define TTJIT_CALL(name)                                                                           \
  inline void name() { ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread())); }
TTJIT_CALL(noc_async_read_barrier)
TTJIT_CALL(noc_async_write_barrier)
TTJIT_CALL(noc_async_writes_flushed)
TTJIT_CALL(noc_async_atomic_barrier)
#undef TTJIT_CALL

#define TTJIT_TRANSFER_ID(name)                                                                    \
  inline void name(uint32_t trid = 0) {                                                            \
    ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread(), static_cast<int32_t>(trid)));  \
  }
TTJIT_TRANSFER_ID(noc_async_read_set_trid)
TTJIT_TRANSFER_ID(noc_async_write_set_trid)
TTJIT_TRANSFER_ID(noc_async_read_barrier_with_trid)
TTJIT_TRANSFER_ID(noc_async_write_barrier_with_trid)
#undef TTJIT_TRANSFER_ID

/// L1 of the emulated device has no cache in front of it.
inline void invalidate_l1_cache() {}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

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

inline void noc_semaphore_inc(uint64_t address, uint32_t increment) {
  ttjit::metalium::check(ttl_hw_noc_semaphore_inc(ttjit::metalium::thread(), address, increment));
}
inline void noc_semaphore_set_remote(uint32_t from_l1, uint64_t to) {
  ttjit::metalium::check(ttl_hw_noc_semaphore_set_remote(ttjit::metalium::thread(), from_l1, to));
}

#define TTJIT_MULTICAST(name)                                                                      \
  inline void name(uint32_t from_l1, uint64_t to, uint32_t num_dests, bool = false) {              \
    ttjit::metalium::check(                                                                        \
        ttl_hw_##name(ttjit::metalium::thread(), from_l1, to, static_cast<int32_t>(num_dests)));   \
  }
TTJIT_MULTICAST(noc_semaphore_set_multicast)
TTJIT_MULTICAST(noc_semaphore_set_multicast_loopback_src)
#undef TTJIT_MULTICAST
