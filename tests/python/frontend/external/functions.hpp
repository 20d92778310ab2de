// SPDX-License-Identifier: Apache-2.0
// C++ functions that tests of ttl.call_extern_func() call.
#pragma once

#include <cstdint>

#if defined(COMPILE_FOR_TRISC)
#include "api/compute/common.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/tile_move_copy.h"
#include "api/tensor/local_tensor_accessor.h"
#else
#include "api/dataflow/dataflow_api.h"
#include "api/debug/assert.h"
#include "experimental/circular_buffer.h"
#include "experimental/tensor.h"
#endif

#include "nested/numbers.hpp"

#if defined(COMPILE_FOR_TRISC)

/// Copies one tile from buffer `in` to buffer `out`, with all calls that acquire and release pages.
inline void copy_one(uint32_t in, uint32_t out) {
  using namespace ckernel;
  unary_op_init_common(in, out);
  copy_tile_init(in);
  cb_wait_front(in, 1);
  cb_reserve_back(out, 1);
  tile_regs_acquire();
  copy_tile(in, 0, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, out);
  tile_regs_release();
  cb_push_back(out, 1);
  cb_pop_front(in, 1);
}

/// Adds the front tiles of `a` and `b` into the reserved page of `out`. The caller holds the pages.
inline void add_fronts(uint32_t a, uint32_t b, uint32_t out) {
  using namespace ckernel;
  binary_op_init_common(a, b, out);
  add_tiles_init(a, b);
  tile_regs_acquire();
  add_tiles(a, b, 0, 0, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, out);
  tile_regs_release();
}

/// Fills one page of `out` with a number.
inline void fill_page(uint32_t out, float value) {
  init_sfpu(out, out);
  fill_tile_init();
  cb_reserve_back(out, 1);
  tile_regs_acquire();
  fill_tile(0, value);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, out);
  tile_regs_release();
  cb_push_back(out, 1);
}
inline void fill_int(uint32_t out, int32_t value) { fill_page(out, static_cast<float>(value)); }
/// Fills a page with run-time argument `number`, or in fill_scale() with the value of macro SCALE.
inline void fill_argument(uint32_t out, int32_t number) {
  fill_page(out, static_cast<float>(get_arg_val<uint32_t>(number)));
}
#ifdef SCALE
inline void fill_scale(uint32_t out) { fill_page(out, SCALE); }
#endif
inline void fill_bool(uint32_t out, bool value) { fill_page(out, value ? 1.0f : 0.0f); }
inline void fill_uint(uint32_t out, uint32_t value) { fill_page(out, value / 65536.0f); }

template <int N, bool B, uint32_t U, uint32_t F, uint32_t Id, typename D>
inline void fill_templates(uint32_t out) {
  static_assert(D::pages_per_block == 1 && D::block_count == 2 && D::page_size_bytes == 4096);
  static_assert(D::index == Id);
  fill_page(out, N + (B ? 0.5f : 0.25f) + U / 1073741824.0f + __builtin_bit_cast(float, F));
}

template <typename In, typename Out, int Count> inline void copy_many() {
  for (int i = 0; i < Count; ++i)
    copy_one(In::index, Out::index);
}

/// Writes 7 to the first `count` words of this core's shard of a tensor that is sharded in L1.
inline void write_shard(const LocalTensorAccessor<uint8_t> &shard, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    reinterpret_cast<volatile float *>(shard.get_unsafe_ptr())[i] = 7.0f;
}

#else

/// Reads a page of a tensor into one page of a buffer.
template <typename Accessor>
inline void read_page(const Accessor &source, uint32_t out, int32_t page) {
  cb_reserve_back(out, 1);
  noc_async_read_page(page, source, get_write_ptr(out));
  noc_async_read_barrier();
  cb_push_back(out, 1);
}
template <typename Accessor>
inline void write_page(const Accessor &to, uint32_t in, int32_t page) {
  cb_wait_front(in, 1);
  noc_async_write_page(page, to, get_read_ptr(in));
  noc_async_write_barrier();
  cb_pop_front(in, 1);
}

/// Fills the reserved page of `out` with a number. The caller reserves and pushes the page.
inline void fill_reserved(uint32_t out, float value) {
  auto *words = reinterpret_cast<volatile float *>(get_write_ptr(out));
  for (int i = 0; i < 1024; ++i)
    words[i] = value;
}

/// signal() adds 5 to the semaphore of the next core in x. Its id is run-time argument 0.
/// await_signal() waits until it is at least 7, and returns its value plus run-time argument 1.
inline void signal() {
  noc_semaphore_inc(get_noc_addr(my_x[0] + 1, my_y[0], get_semaphore(get_arg_val<uint32_t>(0))), 5);
  noc_async_atomic_barrier();
}
inline int32_t await_signal() {
  auto *word = reinterpret_cast<volatile uint32_t *>(get_semaphore(get_arg_val<uint32_t>(0)));
  noc_semaphore_wait_min(word, 7);
  return static_cast<int32_t>(*word + get_arg_val<uint32_t>(1));
}

inline int32_t tile_bytes(uint32_t cb) { return static_cast<int32_t>(get_tile_size(cb)); }

/// read_object() and write_object() do the same as read_page() and write_page(), with API classes.
template <typename Accessor>
inline void read_object(const Accessor &source, uint32_t out, int32_t page) {
  experimental::Noc noc;
  experimental::CircularBuffer cb(out);
  cb.reserve_back(1);
  noc.async_read(source, cb, cb.get_tile_size(), {.page_id = static_cast<uint32_t>(page)}, {});
  noc.async_read_barrier();
  cb.push_back(1);
}
template <typename Accessor>
inline void write_object(const Accessor &to, uint32_t in, int32_t page) {
  Noc noc;
  CircularBuffer cb(in);
  cb.wait_front(1);
  noc.async_write<NocOptions::TXN_ID>(cb, to, cb.get_tile_size(), {.offset_bytes = 0},
                                      {.page_id = static_cast<uint32_t>(page)}, {.trid = 3});
  noc.async_write_barrier<NocOptions::TXN_ID>({.trid = 3});
  cb.pop_front(1);
}

/// Asserts that the tensor's address is not 0, both as `address` and through the accessor.
template <typename Accessor> inline void check_address(const Accessor &tensor, uint32_t address) {
  ASSERT(get_noc_addr(0, tensor) != 0 && address != 0);
}

#endif

namespace ops {
inline int32_t answer() { return kAnswer; }
inline int64_t wide(int32_t shift) { return int64_t(3) << shift; }
template <int N> inline int32_t add(int32_t a) { return a + N; }
inline int32_t column() { return get_absolute_logical_x(); }
} // namespace ops
