//===- tilize.h - row-major and tiled pages -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that emitted code does not call. The generation "new" of tt-metal renames some of them:
// this file has both names.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

namespace ttjit::metalium {
inline void moveTiles(const char *name, UnitOp op, uint32_t block, uint32_t in, uint32_t count,
                      uint32_t out, uint32_t first_in = 0, uint32_t first_out = 0) {
  use(op, static_cast<int32_t>(block), in);
  usePacker(name, out);
  bool tilizes = op == UnitOp::Tilize || op == UnitOp::FastTilize;
  check(ttl_hw_tilize_block(thread(), name, bufferOf(in), static_cast<int32_t>(count),
                            bufferOf(out), static_cast<int32_t>(first_in),
                            static_cast<int32_t>(first_out), tilizes));
}
} // namespace ttjit::metalium

// tilize_block makes a row of `block` tiles out of 32 row-major rows that are `block` tiles wide.
#define TTJIT_TILIZE(name, op)                                                                     \
  inline void name##_init(uint32_t, uint32_t block, uint32_t = 16) {                               \
    ttjit::metalium::initialise(ttjit::hw::UnitOp::op, static_cast<int32_t>(block));               \
  }                                                                                                \
  inline void name##_uninit(uint32_t, uint32_t = 16) {                                             \
    ttjit::metalium::uninitialise(ttjit::hw::UnitOp::op);                                          \
  }                                                                                                \
  inline void name##_block(uint32_t in, uint32_t block, uint32_t out, uint32_t first_in = 0,       \
                           uint32_t first_out = 0) {                                               \
    ttjit::metalium::moveTiles(#name "_block", ttjit::hw::UnitOp::op, block, in, block, out,       \
                               first_in, first_out);                                               \
  }
TTJIT_TILIZE(tilize, Tilize)
TTJIT_TILIZE(fast_tilize, FastTilize)
#undef TTJIT_TILIZE
inline void tilize_init_short_with_dt(uint32_t, uint32_t in, uint32_t block, uint32_t out = 16) {
  reconfig_data_format_srca(in);
  tilize_init(in, block, out);
}
inline void tilize_uninit_with_dt(uint32_t in, uint32_t next, uint32_t out) {
  tilize_uninit(in, out);
  reconfig_data_format_srca(next);
}

inline void fast_tilize_init_with_dt(uint32_t in, uint32_t block, uint32_t out) {
  reconfig_data_format_srca(in);
  fast_tilize_init(in, block, out);
}

inline void untilize_init(uint32_t, uint32_t = 16) {
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Untilize);
}
inline void untilize_uninit(uint32_t) {
  ttjit::metalium::uninitialise(ttjit::hw::UnitOp::Untilize);
}
template <uint32_t block_ct_dim = 1>
inline void untilize_block(uint32_t in, uint32_t full_ct_dim, uint32_t out) {
  using namespace ttjit::metalium;
  moveTiles("untilize_block", UnitOp::Untilize, 0, in, full_ct_dim, out);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_init(uint32_t, uint32_t) {
  static_assert(block_ct_dim == full_ct_dim, "the emulated device untilizes whole rows of tiles");
  ttjit::metalium::initialise(ttjit::hw::UnitOp::PackUntilize, block_ct_dim);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_block(uint32_t in, uint32_t block_rt_dim, uint32_t out,
                                uint32_t block_c_index = 0) {
  using namespace ttjit::metalium;
  static_assert(block_ct_dim == full_ct_dim, "the emulated device untilizes whole rows of tiles");
  failIf(block_c_index != 0, "the emulated device untilizes whole rows of tiles");
  for (uint32_t row = 0; row < block_rt_dim; ++row)
    moveTiles("pack_untilize_block", UnitOp::PackUntilize, block_ct_dim, in, block_ct_dim, out,
              row * block_ct_dim, row * block_ct_dim);
}
inline void pack_untilize_uninit(uint32_t = 16) {
  ttjit::metalium::uninitialise(ttjit::hw::UnitOp::PackUntilize);
}

/// Untilizes tiles of DST. Only the packer is set up for it: other operations may fill DST before.
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, bool narrow_row = false,
          uint32_t row_num_datums = 32>
inline void pack_untilize_dest_init(uint32_t, uint32_t face_r_dim = 16, uint32_t num_faces = 4) {
  static_assert(!narrow_row && row_num_datums == 32, "the emulated device packs whole tiles");
  ttjit::metalium::failIf(face_r_dim != 16 || num_faces != 4,
                          "the emulated device packs whole tiles: four faces of 16 rows");
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim, bool diagonal = false,
          bool narrow_row = false, uint32_t row_num_datums = 32, uint32_t tile_dst_ct_offset = 0>
inline void pack_untilize_dest(uint32_t out, uint32_t block_rt_dim = 1, uint32_t block_c_index = 0,
                               uint32_t face_r_dim = 16, uint32_t num_faces = 4,
                               uint32_t tile_dst_rt_offset = 0) {
  using namespace ttjit::metalium;
  static_assert(!diagonal && !narrow_row && row_num_datums == 32 && tile_dst_ct_offset == 0,
                "the emulated device packs whole tiles from DST register 0 on");
  failIf(face_r_dim != 16 || num_faces != 4 || tile_dst_rt_offset != 0,
         "the emulated device packs whole tiles from DST register 0 on");
  usePacker("pack_untilize_dest", out);
  check(ttl_hw_pack_untilize(thread(), bufferOf(out), static_cast<int32_t>(block_rt_dim),
                             block_ct_dim, full_ct_dim,
                             static_cast<int32_t>(block_c_index * block_ct_dim)));
}
