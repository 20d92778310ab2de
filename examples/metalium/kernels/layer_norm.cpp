// SPDX-License-Identifier: Apache-2.0
// (x - mean) / sqrt(variance + epsilon) * gamma + beta of each row of a strip of tiles.

#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "api/compute/eltwise_unary/rsqrt.h"
#include "api/compute/layernorm.h"
#include "api/compute/reduce.h"
#include "section.h"

constexpr auto cb_x = tt::CBIndex::c_0, cb_scaler = tt::CBIndex::c_1, cb_gamma = tt::CBIndex::c_2;
constexpr auto cb_beta = tt::CBIndex::c_3, cb_y = tt::CBIndex::c_16, cb_mean = tt::CBIndex::c_24;
constexpr auto cb_centred = tt::CBIndex::c_25, cb_squares = tt::CBIndex::c_26;
constexpr auto cb_factor = tt::CBIndex::c_27, cb_normal = tt::CBIndex::c_28;
constexpr auto cb_scaled = tt::CBIndex::c_29;
constexpr uint32_t tiles = get_compile_time_arg_val(0), epsilon = get_compile_time_arg_val(1);

ALWI void sum_rows(uint32_t cb) {
  for (uint32_t i = 0; i < tiles; ++i)
    reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb, cb_scaler, i, 0, 0);
}

ALWI void centre() {
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_x, cb_scaler, cb_mean);
  tile_into(cb_mean, [&] { sum_rows(cb_x); });
  reduce_uninit();
  cb_wait_front(cb_mean, 1);
  sub_bcast_cols_init_short(cb_x, cb_mean);
  for (uint32_t i = 0; i < tiles; ++i)
    tile_into(cb_centred, [&] { sub_tiles_bcast_cols(cb_x, cb_mean, i, 0, 0); });
  cb_pop_front(cb_mean, 1);
  cb_pop_front(cb_x, tiles);
}

ALWI void find_factor() {
  cb_wait_front(cb_centred, tiles);
  mul_tiles_init(cb_centred, cb_centred);
  for (uint32_t i = 0; i < tiles; ++i)
    tile_into(cb_squares, [&] { mul_tiles(cb_centred, cb_centred, i, i, 0); });
  cb_wait_front(cb_squares, tiles);
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_squares, cb_scaler, cb_factor);
  tile_into(cb_factor, [&] {
    sum_rows(cb_squares);
    binop_with_scalar_tile_init();
    add_unary_tile(0, epsilon);
    rsqrt_tile_init<false>();
    rsqrt_tile<false>(0);
  });
  reduce_uninit();
  cb_pop_front(cb_squares, tiles);
}

ALWI void scale_and_shift() {
  cb_wait_front(cb_factor, 1);
  for (uint32_t i = 0; i < tiles; ++i) {
    mul_bcast_cols_init_short(cb_centred, cb_factor);
    tile_into(cb_normal, [&] { mul_tiles_bcast_cols(cb_centred, cb_factor, i, 0, 0); });
    cb_wait_front(cb_normal, 1);
    mul_bcast_rows_init_short(cb_normal, cb_gamma);
    tile_into(cb_scaled, [&] { mul_tiles_bcast_rows(cb_normal, cb_gamma, 0, i, 0); });
    cb_pop_front(cb_normal, 1);
    cb_wait_front(cb_scaled, 1);
    add_bcast_rows_init_short(cb_scaled, cb_beta);
    tile_into(cb_y, [&] { add_tiles_bcast_rows(cb_scaled, cb_beta, 0, i, 0); });
    cb_pop_front(cb_scaled, 1);
  }
  cb_pop_front(cb_factor, 1);
  cb_pop_front(cb_centred, tiles);
}

void kernel_main() {
  uint32_t strips = get_arg_val<uint32_t>(0);
  compute_kernel_hw_startup(cb_x, cb_scaler, cb_y);
  cb_wait_front(cb_scaler, 1);
  cb_wait_front(cb_gamma, tiles);
  cb_wait_front(cb_beta, tiles);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    cb_wait_front(cb_x, tiles);
    centre();
    find_factor();
    scale_and_shift();
  }
  cb_pop_front(cb_scaler, 1);
  cb_pop_front(cb_gamma, tiles);
  cb_pop_front(cb_beta, tiles);
}
