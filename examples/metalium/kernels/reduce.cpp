// SPDX-License-Identifier: Apache-2.0
// Adds up the rows of `columns` tiles; the sums are column 0 of the result.

#include "api/compute/reduce.h"
#include "api/compute/compute_kernel_api.h"

void kernel_main() {
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_scaler = get_compile_time_arg_val(1);
  constexpr uint32_t cb_y = get_compile_time_arg_val(2), columns = get_compile_time_arg_val(3);
  compute_kernel_hw_startup(cb_x, cb_scaler, cb_y);
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_x, cb_scaler, cb_y);
  cb_wait_front(cb_scaler, 1);
  tile_regs_acquire();
  for (uint32_t column = 0; column < columns; ++column) {
    cb_wait_front(cb_x, 1);
    reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_x, cb_scaler, 0, 0, 0);
    cb_pop_front(cb_x, 1);
  }
  tile_regs_commit();
  reduce_uninit();
  cb_reserve_back(cb_y, 1);
  tile_regs_wait();
  pack_tile(0, cb_y);
  tile_regs_release();
  cb_push_back(cb_y, 1);
  cb_pop_front(cb_scaler, 1);
}
