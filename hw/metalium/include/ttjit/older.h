//===- older.h - names and forms of older generations ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the compute API that later generations renamed or removed, and functions of its
// lower layer that kernels call because the compute API lacked them.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/copies.h"
#include "ttjit/elements.h"
#include "ttjit/products.h"
#include "ttjit/tilize.h"

//===--- Sections -------------------------------------------------------------===//

namespace tt {
/// Has no effect: the DST has two halves, unless the program sets dst_full_sync_en.
enum class DstMode : uint8_t { Full, Half, Tile };
} // namespace tt

inline void acquire_dst() { ttjit::metalium::check(ttl_hw_acquire_dst(ttjit::metalium::thread())); }
inline void acquire_dst(tt::DstMode) { acquire_dst(); }
inline void release_dst() { ttjit::metalium::check(ttl_hw_release_dst(ttjit::metalium::thread())); }
inline void release_dst(tt::DstMode) { release_dst(); }

//===--- Formats --------------------------------------------------------------===//

template <bool... flags> inline void unpack_reconfig_data_format(uint32_t a, uint32_t b) {
  reconfig_data_format<flags...>(a, b);
}
template <bool... flags>
inline void unpack_reconfig_data_format(uint32_t, uint32_t to_a, uint32_t, uint32_t to_b) {
  reconfig_data_format<flags...>(to_a, to_b);
}
template <bool... flags> inline void unpack_reconfig_data_format_srca(uint32_t cb) {
  reconfig_data_format_srca<flags...>(cb);
}
template <bool... flags> inline void unpack_reconfig_data_format_srca(uint32_t, uint32_t to) {
  reconfig_data_format_srca<flags...>(to);
}
template <bool... flags> inline void unpack_reconfig_data_format_srcb(uint32_t cb) {
  reconfig_data_format_srcb<flags...>(cb);
}
template <bool... flags> inline void unpack_reconfig_data_format_srcb(uint32_t, uint32_t to) {
  reconfig_data_format_srcb<flags...>(to);
}

//===--- Elements -------------------------------------------------------------===//

// "f" means that the kernel's fidelity is used, "nof" that the operation needs none.
inline void mul_tiles_init_f() { ttjit::metalium::initialiseMath(ttjit::hw::UnitOp::Mul); }
inline void add_tiles_init_nof() { ttjit::metalium::initialiseMath(ttjit::hw::UnitOp::Add); }
inline void sub_tiles_init_nof() { ttjit::metalium::initialiseMath(ttjit::hw::UnitOp::Sub); }

inline void max_tile_init() { binary_max_tile_init(); }
/// The result replaces the first operand.
inline void max_tile(uint32_t dst, uint32_t other) { binary_max_tile(dst, other, dst); }

//===--- Reductions -----------------------------------------------------------===//

/// Sets the reduction up. With `at_start`, also configures the hardware.
template <bool at_start, TTJIT_REDUCTION>
inline void reduce_init(uint32_t in, uint32_t scaler, uint32_t out = 16) {
  using namespace ttjit::metalium;
  check(ttl_hw_units_restart(thread(), "reduce_init", sourceOf(in), bufferOf(out)));
  configure(UnitFormat::SrcB, scaler);
  reduce_init<type, dim>(in, scaler, out);
}
template <TTJIT_REDUCTION>
inline void reduce_init_short(uint32_t in, uint32_t scaler, uint32_t out = 16) {
  reduce_init<type, dim>(in, scaler, out);
}
template <bool at_start, TTJIT_REDUCTION>
inline void reduce_init_delta(uint32_t out = 16, uint32_t in = 0, uint32_t scaler = 1) {
  reduce_init<type, dim>(in, scaler, out);
}
template <TTJIT_REDUCTION>
inline void reduce_init_delta_no_pack(uint32_t in = 0, uint32_t scaler = 1) {
  reduce_init<type, dim>(in, scaler, 16);
}
template <TTJIT_REDUCTION> inline void reduce_init_delta_math() {
  ttjit::metalium::initialiseMath(ttjit::hw::UnitOp::Reduce);
}
template <ReduceDim...> inline void reduce_revert_delta(uint32_t = 16) { reduce_uninit(); }

// The oldest forms also take the kind as arguments, but compute the kind of the macros.
#if defined(REDUCE_OP) && defined(REDUCE_DIM)
template <bool at_start>
inline void reduce_init(PoolType, ReduceDim, uint32_t in, uint32_t scaler, uint32_t out = 16) {
  reduce_init<at_start>(in, scaler, out);
}
template <bool at_start>
inline void reduce_init_delta(PoolType, ReduceDim, uint32_t out = 16, uint32_t in = 0,
                              uint32_t scaler = 1) {
  reduce_init_delta<at_start>(out, in, scaler);
}
inline void reduce_init_short(PoolType, ReduceDim, uint32_t in, uint32_t scaler,
                              uint32_t out = 16) {
  reduce_init(in, scaler, out);
}
inline void reduce_tile(PoolType, ReduceDim, uint32_t in, uint32_t scaler, uint32_t tile,
                        uint32_t scaler_tile, uint32_t dst) {
  reduce_tile(in, scaler, tile, scaler_tile, dst);
}
#endif

//===--- Row-major pages ------------------------------------------------------===//

inline void tilize_init_short(uint32_t in, uint32_t block, uint32_t out = 16) {
  tilize_init(in, block, out);
}
inline void tilize_uninit(uint32_t in) { tilize_uninit(in, 16); }
inline void tilize_uninit_with_dt(uint32_t in = 0, uint32_t next = 1) {
  tilize_uninit_with_dt(in, next, 16);
}
inline void untilize_init_short(uint32_t in) { untilize_init(in); }
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_init_short(uint32_t in, uint32_t out) {
  pack_untilize_init<block_ct_dim, full_ct_dim>(in, out);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_dst_init_short(uint32_t out, uint32_t face_r_dim = 16,
                                         uint32_t num_faces = 4) {
  pack_untilize_dest_init<block_ct_dim, full_ct_dim>(out, face_r_dim, num_faces);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_dst(uint32_t out, uint32_t block_rt_dim = 1, uint32_t block_c_index = 0,
                              uint32_t face_r_dim = 16, uint32_t num_faces = 4) {
  pack_untilize_dest<block_ct_dim, full_ct_dim>(out, block_rt_dim, block_c_index, face_r_dim,
                                                num_faces);
}

//===--- The lower layer ------------------------------------------------------===//

/// Has no effect: the fidelity is that of the kernel's compute configuration.
inline constexpr int MATH_FIDELITY = 4;

/// Inits of the unpackers do nothing: what the unpackers do follows from the operation.
template <BroadcastType type = BroadcastType::NONE>
inline void llk_unpack_AB_init(uint32_t = 0, uint32_t = 1) {}
template <EltwiseBinaryType type, BroadcastType dims, int...>
inline void llk_math_eltwise_binary_init(bool acc_to_dest = false) {
  ttjit::metalium::refuseAccumulation(acc_to_dest);
  if constexpr (dims == BroadcastType::NONE)
    ttjit::metalium::initialise(ttjit::metalium::unitOf<type>());
  else
    bcast_init<type, dims>(0, 1);
}
inline void llk_pack_reconfig_l1_acc(uint32_t enable) { pack_reconfig_l1_acc(enable); }
