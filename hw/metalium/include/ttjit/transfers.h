//===- transfers.h - reads, writes, multicasts and barriers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parameters `noc`, `linked`, virtual channels and traces have no effect: the emulated device
// has one way between two places.
//===--------------------------------------------------------------------------===//

#pragma once

#include "noc/noc_parameters.h"
#include "ttjit/addresses.h"

#define TTJIT_TEXT_OF(number) #number
#define TTJIT_TEXT(number) TTJIT_TEXT_OF(number)

namespace ttjit::metalium {
inline void checkPacket(uint32_t size) {
  failIf(size > NOC_MAX_BURST_SIZE,
         "a transfer of one packet has more than " TTJIT_TEXT(
             NOC_MAX_BURST_SIZE) " bytes: use the function without _one_packet");
}

/// While this object exists, writes are posted if `posted` is true.
template <bool posted> struct PostedWrites {
  PostedWrites() {
    if constexpr (posted)
      ttl_hw_noc_post_writes(thread(), 1);
  }
  ~PostedWrites() {
    if constexpr (posted)
      ttl_hw_noc_post_writes(thread(), 0);
  }
};

inline uint64_t stateAddress(bool writes, uint32_t local) {
  return ttl_hw_noc_state_address(thread(), writes, local);
}
} // namespace ttjit::metalium

//===--------------------------------------------------------------------------===//
// Reads
//===--------------------------------------------------------------------------===//

template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool enable_noc_tracing = true>
inline void noc_async_read(uint64_t from, uint32_t to_l1, uint32_t size, uint8_t = noc_index,
                           uint32_t = 1) {
  ttjit::metalium::check(
      ttl_hw_noc_async_read(ttjit::metalium::thread(), from, to_l1, static_cast<int32_t>(size)));
}
template <bool enable_noc_tracing = true>
inline void noc_async_read_one_packet(uint64_t from, uint32_t to_l1, uint32_t size,
                                      uint8_t noc = noc_index, uint32_t = 1) {
  ttjit::metalium::checkPacket(size);
  noc_async_read(from, to_l1, size, noc);
}
template <typename Accessor, bool enable_noc_tracing = true>
inline void noc_async_read_page(uint32_t page, const Accessor &accessor, uint32_t l1_address,
                                uint32_t offset = 0, uint8_t = noc_index) {
  using namespace ttjit::metalium;
  const auto *tensor = tensorOf(accessor);
  failIf(offset != 0, "a read of a whole page at an offset has bytes of the next page: use "
                      "noc_async_read with get_noc_addr(page, accessor, offset)");
  check(ttl_hw_noc_async_read_page(thread(), static_cast<int32_t>(page), tensor, l1_address));
}
template <typename Accessor>
inline void noc_async_read_tile(uint32_t page, const Accessor &accessor, uint32_t l1_address,
                                uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_read_page(page, accessor, l1_address, offset, noc);
}

inline void noc_async_read_set_state(uint64_t from, uint8_t = noc_index) {
  ttl_hw_noc_set_state(ttjit::metalium::thread(), 0, from, 0);
}
template <bool inc_num_issued = true>
inline void noc_async_read_with_state(uint32_t from, uint32_t to_l1, uint32_t size,
                                      uint8_t = noc_index) {
  noc_async_read(ttjit::metalium::stateAddress(false, from), to_l1, size);
}
template <bool use_vc = false>
inline void noc_async_read_one_packet_set_state(uint64_t from, uint32_t size, uint32_t = 0,
                                                uint8_t = noc_index) {
  ttjit::metalium::checkPacket(size);
  ttl_hw_noc_set_state(ttjit::metalium::thread(), 0, from, size);
}
template <bool inc_num_issued = true, bool use_vc = false>
inline void noc_async_read_one_packet_with_state(uint32_t from, uint32_t to_l1, uint32_t = 0,
                                                 uint8_t = noc_index) {
  using namespace ttjit::metalium;
  noc_async_read(stateAddress(false, from), to_l1, ttl_hw_noc_state_bytes(thread(), 0));
}

//===--------------------------------------------------------------------------===//
// Writes
//===--------------------------------------------------------------------------===//

template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool enable_noc_tracing = true,
          bool posted = false>
inline void noc_async_write(uint32_t from_l1, uint64_t to, uint32_t size, uint8_t = noc_index,
                            uint32_t = 1) {
  ttjit::metalium::PostedWrites<posted> scope;
  ttjit::metalium::check(
      ttl_hw_noc_async_write(ttjit::metalium::thread(), from_l1, to, static_cast<int32_t>(size)));
}
template <bool enable_noc_tracing = true, bool posted = false>
inline void noc_async_write_one_packet(uint32_t from_l1, uint64_t to, uint32_t size,
                                       uint8_t = noc_index, uint32_t = 1) {
  ttjit::metalium::checkPacket(size);
  noc_async_write<NOC_MAX_BURST_SIZE, enable_noc_tracing, posted>(from_l1, to, size);
}
template <typename Accessor, bool enable_noc_tracing = true, bool posted = false>
inline void noc_async_write_page(uint32_t page, const Accessor &accessor, uint32_t l1_address,
                                 uint32_t size = 0, uint32_t offset = 0, uint8_t = noc_index) {
  using namespace ttjit::metalium;
  if (size || offset)
    return noc_async_write<NOC_MAX_BURST_SIZE + 1, enable_noc_tracing, posted>(
        l1_address, pageAddress(tensorOf(accessor), page, offset), size);
  PostedWrites<posted> scope;
  check(ttl_hw_noc_async_write_page(thread(), static_cast<int32_t>(page), tensorOf(accessor),
                                    l1_address));
}
template <typename Accessor>
inline void noc_async_write_tile(uint32_t page, const Accessor &accessor, uint32_t l1_address,
                                 uint8_t = noc_index) {
  noc_async_write_page(page, accessor, l1_address);
}

// Transfers of the address generators (ttjit/addresses.h)
template <bool DRAM>
inline void InterleavedPow2AddrGenFast<DRAM>::noc_async_read_page(uint32_t id, uint32_t to_l1,
                                                                  uint32_t offset,
                                                                  uint8_t noc) const {
  ::noc_async_read_page(id, *this, to_l1, offset, noc);
}
template <bool DRAM>
inline void InterleavedPow2AddrGenFast<DRAM>::noc_async_read_partial_page(
    uint32_t id, uint32_t to_l1, uint32_t size, uint32_t offset, uint8_t noc) const {
  noc_async_read(get_noc_addr(id, offset, noc), to_l1, size, noc);
}
template <bool DRAM>
inline void InterleavedPow2AddrGenFast<DRAM>::noc_async_write_page(uint32_t id, uint32_t from_l1,
                                                                   uint32_t size, uint32_t offset,
                                                                   uint8_t noc) const {
  ::noc_async_write_page(id, *this, from_l1, size, offset, noc);
}
template <bool DRAM, uint32_t tile_hw>
inline void InterleavedAddrGenFast<DRAM, tile_hw>::noc_async_read_tile(uint32_t id, uint32_t to_l1,
                                                                       uint32_t offset,
                                                                       uint8_t noc) const {
  noc_async_read_page(id, *this, to_l1, offset, noc);
}
template <bool DRAM, uint32_t tile_hw>
inline void InterleavedAddrGenFast<DRAM, tile_hw>::noc_async_write_tile(uint32_t id,
                                                                        uint32_t from_l1,
                                                                        uint8_t noc) const {
  noc_async_write_page(id, *this, from_l1, 0, 0, noc);
}

template <bool posted = false>
inline void noc_async_write_one_packet_set_state(uint64_t to, uint32_t size, uint8_t = noc_index,
                                                 uint8_t = 1) {
  ttjit::metalium::checkPacket(size);
  ttl_hw_noc_set_state(ttjit::metalium::thread(), 1, to, size);
}
template <bool posted = false>
inline void noc_async_write_one_packet_with_state(uint32_t from_l1, uint32_t to,
                                                  uint8_t = noc_index) {
  using namespace ttjit::metalium;
  noc_async_write<NOC_MAX_BURST_SIZE, true, posted>(from_l1, stateAddress(true, to),
                                                    ttl_hw_noc_state_bytes(thread(), 1));
}

#define TTJIT_MULTICAST(name)                                                                      \
  template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1>                                       \
  inline void name(uint32_t from_l1, uint64_t to, uint32_t size, uint32_t num_dests, bool = false, \
                   uint8_t = noc_index, uint32_t = 4) {                                            \
    ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread(), from_l1, to,                   \
                                         static_cast<int32_t>(size),                               \
                                         static_cast<int32_t>(num_dests)));                        \
  }
TTJIT_MULTICAST(noc_async_write_multicast)
TTJIT_MULTICAST(noc_async_write_multicast_loopback_src)
#undef TTJIT_MULTICAST
inline void noc_async_write_multicast_one_packet(uint32_t from_l1, uint64_t to, uint32_t size,
                                                 uint32_t num_dests, bool linked = false,
                                                 uint8_t noc = noc_index) {
  ttjit::metalium::checkPacket(size);
  noc_async_write_multicast(from_l1, to, size, num_dests, linked, noc);
}

/// The destination of noc_inline_dw_write, which writes its argument to the L1 of a core.
enum class InlineWriteDst : uint8_t { DEFAULT, L1, REG };
template <InlineWriteDst dst = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
inline void noc_inline_dw_write(uint64_t to, uint32_t value, uint8_t byte_enable = 0xf,
                                uint8_t = noc_index, uint8_t = 1, uint32_t = 0) {
  using namespace ttjit::metalium;
  static_assert(dst != InlineWriteDst::REG, "the emulated device has no registers to write");
  failIf(byte_enable != 0xf, "the emulated device writes whole words");
  PostedWrites<posted> scope;
  check(ttl_hw_noc_inline_dw_write(thread(), to, value));
}

//===--------------------------------------------------------------------------===//
// For code that is emitted for the host only: parts of rows, which the emulated device may move at
// any byte, and several pages at once
//===--------------------------------------------------------------------------===//

namespace ttjit::metalium {
template <typename Accessor>
inline void readPages(int32_t page, const Accessor &accessor, uint32_t l1Address, int32_t count) {
  check(ttl_hw_noc_async_read_pages(thread(), page, tensorOf(accessor), l1Address, count));
}
template <typename Accessor>
inline void writePages(int32_t page, const Accessor &accessor, uint32_t l1Address, int32_t count) {
  check(ttl_hw_noc_async_write_pages(thread(), page, tensorOf(accessor), l1Address, count));
}
template <typename Accessor>
inline void readRow(const Accessor &accessor, int32_t row, int32_t offset, uint32_t l1Address,
                    int32_t bytes) {
  check(ttl_hw_noc_async_read_row(thread(), row, tensorOf(accessor), offset, bytes, l1Address));
}
template <typename Accessor>
inline void writeRow(const Accessor &accessor, int32_t row, int32_t offset, uint32_t l1Address,
                     int32_t bytes) {
  check(ttl_hw_noc_async_write_row(thread(), row, tensorOf(accessor), offset, bytes, l1Address));
}
} // namespace ttjit::metalium

//===--------------------------------------------------------------------------===//
// Transfer ids and barriers
//===--------------------------------------------------------------------------===//

#define TTJIT_CALL(name)                                                                           \
  inline void name(uint8_t = noc_index) {                                                          \
    ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread()));                              \
  }
TTJIT_CALL(noc_async_read_barrier)
TTJIT_CALL(noc_async_write_barrier)
TTJIT_CALL(noc_async_writes_flushed)
TTJIT_CALL(noc_async_posted_writes_flushed)
TTJIT_CALL(noc_async_atomic_barrier)
#undef TTJIT_CALL
inline void noc_async_full_barrier(uint8_t = noc_index) {
  noc_async_read_barrier();
  noc_async_write_barrier();
  noc_async_posted_writes_flushed();
  noc_async_atomic_barrier();
}

#define TTJIT_TRANSFER_ID(name)                                                                    \
  inline void name(uint32_t trid = 0, uint8_t = noc_index) {                                       \
    ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread(), static_cast<int32_t>(trid)));  \
  }
TTJIT_TRANSFER_ID(noc_async_read_set_trid)
TTJIT_TRANSFER_ID(noc_async_write_set_trid)
TTJIT_TRANSFER_ID(noc_async_read_barrier_with_trid)
TTJIT_TRANSFER_ID(noc_async_write_barrier_with_trid)
#undef TTJIT_TRANSFER_ID
/// Waits until the writes have landed: the emulated device reads their bytes only then.
inline void noc_async_write_flushed_with_trid(uint32_t trid, uint8_t = noc_index) {
  noc_async_write_barrier_with_trid(trid);
}

/// The emulated L1 has no cache. Loops that wait for a word make this call: it lets others run.
inline void invalidate_l1_cache() {
  ttjit::metalium::check(ttl_hw_invalidate_l1_cache(ttjit::metalium::thread()));
}
