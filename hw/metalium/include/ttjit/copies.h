//===- copies.h - copies and transposes of tiles --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that emitted code does not call. The generation "new" of tt-metal renames some of them:
// this file has both names.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

inline void copy_tile_to_dst_init_short(uint32_t cb = 0, uint32_t transpose = 0, bool = false) {
  ttjit::metalium::failIf(transpose != 0, "the emulated device does not transpose in copy_tile: "
                                          "use transpose_wh_tile");
  copy_tile_init(cb);
}
inline void copy_tile_to_dst_init_short_with_dt(uint32_t, uint32_t cb, uint32_t transpose = 0) {
  reconfig_data_format_srca(cb);
  copy_tile_to_dst_init_short(cb, transpose);
}
inline void copy_init(uint32_t cb) { copy_tile_init(cb); }
inline void copy_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    copy_tile(cb, tile + i, dst + i);
}
inline void copy_block_matmul_partials(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count) {
  copy_block(cb, tile, dst, count);
}
inline void transpose_init(uint32_t cb) { transpose_wh_init_short(cb); }
inline void transpose_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
  transpose_wh_tile(cb, tile, dst);
}
inline void transpose_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    transpose_wh_tile(cb, tile + i, dst + i);
}
