// SPDX-License-Identifier: Apache-2.0
// Converts tiles to strips of 32 rows.

#include "api/compute/untilize.h"
#include "api/compute/compute_kernel_hw_startup.h"

void kernel_main() {
  uint32_t strips = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_y = get_compile_time_arg_val(1);
  constexpr uint32_t tiles = get_compile_time_arg_val(2);
  compute_kernel_hw_startup(cb_x, cb_y);
  untilize_init(cb_x);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    cb_wait_front(cb_x, tiles);
    cb_reserve_back(cb_y, tiles);
    untilize_block<1>(cb_x, tiles, cb_y);
    cb_pop_front(cb_x, tiles);
    cb_push_back(cb_y, tiles);
  }
  untilize_uninit(cb_x);
}
