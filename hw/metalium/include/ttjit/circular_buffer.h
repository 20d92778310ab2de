//===- circular_buffer.h - a circular buffer as an object -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#ifdef COMPILE_FOR_TRISC
#include "ttjit/compute_api.h"
#else
#include "api/dataflow/dataflow_api.h"
#include "ttjit/noc.h"
#endif

namespace ttjit::metalium {
/// A lock without effect: on the emulated device, only one thread at a time uses a core's memory.
struct NoLock {
  ~NoLock() {}
};
} // namespace ttjit::metalium

class CircularBuffer {
public:
  enum class AddrSelector { WRITE_PTR, READ_PTR };

  explicit CircularBuffer(uint32_t cb_id) : cb_id_(cb_id) {}

  uint32_t get_cb_id() const { return cb_id_; }
  void reserve_back(int32_t num_pages) {
    cb_reserve_back(cb_id_, static_cast<uint32_t>(num_pages));
  }
  void push_back(int32_t num_pages) { cb_push_back(cb_id_, static_cast<uint32_t>(num_pages)); }
  void wait_front(int32_t num_pages) { cb_wait_front(cb_id_, static_cast<uint32_t>(num_pages)); }
  void pop_front(int32_t num_pages) { cb_pop_front(cb_id_, static_cast<uint32_t>(num_pages)); }
  [[nodiscard]] ttjit::metalium::NoLock scoped_lock() { return {}; }

#ifdef COMPILE_FOR_TRISC
  uint32_t get_tile_address(uint32_t tile) { return ::get_tile_address(cb_id_, tile); }
  uint32_t read_tile_value(uint32_t tile, uint32_t element) {
    return ::read_tile_value(cb_id_, tile, element);
  }
#else
  uint32_t get_tile_size() const {
    return static_cast<uint32_t>(::get_tile_size(static_cast<int32_t>(cb_id_)));
  }
  uint32_t get_tile_hw() const { return ::get_tile_hw(static_cast<int32_t>(cb_id_)); }
  DataFormat get_dataformat() const { return ::get_dataformat(static_cast<int32_t>(cb_id_)); }
  bool pages_reservable_at_back(int32_t num_pages) const {
    return cb_pages_reservable_at_back(static_cast<int32_t>(cb_id_), num_pages);
  }
  bool pages_available_at_front(int32_t num_pages) const {
    return cb_pages_available_at_front(static_cast<int32_t>(cb_id_), num_pages);
  }
  uint32_t get_write_ptr() const { return ::get_write_ptr(cb_id_); }
  uint32_t get_read_ptr() const { return ::get_read_ptr(cb_id_); }
#endif

private:
  uint32_t cb_id_;
};

#ifndef COMPILE_FOR_TRISC
/// A buffer that begins at one of its pointers: use<CircularBuffer::AddrSelector::READ_PTR>(cb).
template <CircularBuffer::AddrSelector selector> struct CircularBufferView {
  const CircularBuffer &cb;
  explicit constexpr CircularBufferView(const CircularBuffer &cb) : cb(cb) {}

  uint32_t get_read_ptr() const { return place(); }
  uint32_t get_write_ptr() const { return place(); }

private:
  uint32_t place() const {
    return selector == CircularBuffer::AddrSelector::READ_PTR ? cb.get_read_ptr()
                                                              : cb.get_write_ptr();
  }
};
template <CircularBuffer::AddrSelector selector> constexpr auto use(const CircularBuffer &cb) {
  return CircularBufferView<selector>(cb);
}

namespace ttjit::metalium {
template <typename Buffer> struct BufferTraits {
  struct src_args_type {
    uint32_t offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  struct dst_args_mcast_type {
    uint32_t noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0;
    uint32_t offset_bytes = 0;
  };

  template <Noc::AddressType type>
  static uint32_t src_addr(const Buffer &buffer, const Noc &, const src_args_type &args) {
    static_assert(type == Noc::AddressType::LOCAL_L1, "a buffer is in the L1 of the own core");
    return buffer.get_read_ptr() + args.offset_bytes;
  }
  template <Noc::AddressType type>
  static uint32_t dst_addr(const Buffer &buffer, const Noc &, const dst_args_type &args) {
    static_assert(type == Noc::AddressType::LOCAL_L1, "a buffer is in the L1 of the own core");
    return buffer.get_write_ptr() + args.offset_bytes;
  }
  template <Noc::AddressType type>
  static uint64_t dst_addr_mcast(const Buffer &buffer, const Noc &noc,
                                 const dst_args_mcast_type &args) {
    return get_noc_multicast_addr(args.noc_x_start, args.noc_y_start, args.noc_x_end,
                                  args.noc_y_end, buffer.get_write_ptr() + args.offset_bytes,
                                  noc.get_noc_id());
  }
};
} // namespace ttjit::metalium

template <> struct noc_traits_t<CircularBuffer> : ttjit::metalium::BufferTraits<CircularBuffer> {};
template <CircularBuffer::AddrSelector selector>
struct noc_traits_t<CircularBufferView<selector>>
    : ttjit::metalium::BufferTraits<CircularBufferView<selector>> {};
#endif
