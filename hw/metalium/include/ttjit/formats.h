//===- formats.h - formats of units, tiles of buffers ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that emitted code does not call. The generation "new" of tt-metal renames some of them:
// this file has both names.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

/// Returns a byte address, the same for the card's three processors, which are one thread here.
inline uint32_t get_tile_address(uint32_t cb, uint32_t tile) {
  using namespace ttjit;
  hw::KernelThread *thread = metalium::thread();
  int32_t buffer = metalium::bufferOf(cb);
  auto bytes = static_cast<uint32_t>(ttl_hw_cb_fact(thread, buffer, hw::BufferFact::PageBytes));
  return ttl_hw_get_read_ptr(thread, buffer) + tile * bytes;
}
inline uint32_t read_tile_value(uint32_t cb, uint32_t tile, uint32_t element) {
  uintptr_t address = get_tile_address(cb, tile) + element * sizeof(uint32_t);
  return *reinterpret_cast<volatile uint32_t *>(address);
}

template <bool...> inline void reconfig_data_format_srca(uint32_t, uint32_t to) {
  reconfig_data_format_srca(to);
}
template <bool...> inline void reconfig_data_format_srcb(uint32_t, uint32_t to) {
  reconfig_data_format_srcb(to);
}
template <bool...>
inline void reconfig_data_format(uint32_t, uint32_t to_a, uint32_t, uint32_t to_b) {
  reconfig_data_format(to_a, to_b);
}
template <bool...> inline void pack_reconfig_data_format(uint32_t, uint32_t to) {
  pack_reconfig_data_format(to);
}
/// Does nothing: all tiles of the emulated device have 32x32 elements.
inline void reconfig_matmul_tile_dims(uint32_t, uint32_t) {}
/// Does nothing: the emulated packer has no program to load.
inline void pack_init(uint32_t) {}
inline void pack_block(uint32_t dst, uint32_t cb, uint32_t count) {
  pack_tile_block(dst, cb, count);
}

enum class SrcOrder : uint8_t { Regular, Reverse };
/// Reverse: the first buffer is configured for SrcB, the second for SrcA.
template <SrcOrder order>
inline void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out) {
  if constexpr (order == SrcOrder::Reverse)
    compute_kernel_hw_startup(b, a, out);
  else
    compute_kernel_hw_startup(a, b, out);
}
