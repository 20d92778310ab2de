// SPDX-License-Identifier: Apache-2.0
// exp(x - max) / sum(exp(x - max)) of each row of a strip of tiles.

#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/recip.h"
#include "api/compute/reduce.h"
#include "section.h"

void kernel_main() {
  uint32_t strips = get_arg_val<uint32_t>(0);
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  constexpr auto cb_x = tt::CBIndex::c_0, cb_scaler = tt::CBIndex::c_1, cb_y = tt::CBIndex::c_16;
  constexpr auto cb_max = tt::CBIndex::c_24, cb_exps = tt::CBIndex::c_25;
  constexpr auto cb_inverse = tt::CBIndex::c_26;
  compute_kernel_hw_startup(cb_x, cb_scaler, cb_y);
  cb_wait_front(cb_scaler, 1);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    cb_wait_front(cb_x, tiles);
    reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(cb_x, cb_scaler, cb_max);
    tile_into(cb_max, [&] {
      for (uint32_t i = 0; i < tiles; ++i)
        reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(cb_x, cb_scaler, i, 0, 0);
    });
    reduce_uninit();

    cb_wait_front(cb_max, 1);
    sub_bcast_cols_init_short(cb_x, cb_max);
    exp_tile_init();
    for (uint32_t i = 0; i < tiles; ++i)
      tile_into(cb_exps, [&] {
        sub_tiles_bcast_cols(cb_x, cb_max, i, 0, 0);
        exp_tile(0);
      });
    cb_pop_front(cb_max, 1);
    cb_pop_front(cb_x, tiles);

    cb_wait_front(cb_exps, tiles);
    reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_exps, cb_scaler, cb_inverse);
    recip_tile_init();
    tile_into(cb_inverse, [&] {
      for (uint32_t i = 0; i < tiles; ++i)
        reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_exps, cb_scaler, i, 0, 0);
      recip_tile(0);
    });
    reduce_uninit();

    cb_wait_front(cb_inverse, 1);
    mul_bcast_cols_init_short(cb_exps, cb_inverse);
    for (uint32_t i = 0; i < tiles; ++i)
      tile_into(cb_y, [&] { mul_tiles_bcast_cols(cb_exps, cb_inverse, i, 0, 0); });
    cb_pop_front(cb_inverse, 1);
    cb_pop_front(cb_exps, tiles);
  }
  cb_pop_front(cb_scaler, 1);
}
