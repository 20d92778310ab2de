// SPDX-License-Identifier: Apache-2.0
// Converts strips of 32 rows to tiles.

#include "api/compute/tilize.h"
#include "api/compute/compute_kernel_hw_startup.h"

void kernel_main() {
  uint32_t strips = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_y = get_compile_time_arg_val(1);
  constexpr uint32_t tiles = get_compile_time_arg_val(2);
  compute_kernel_hw_startup(cb_x, cb_y);
  tilize_init(cb_x, tiles, cb_y);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    cb_wait_front(cb_x, tiles);
    cb_reserve_back(cb_y, tiles);
    tilize_block(cb_x, tiles, cb_y);
    cb_pop_front(cb_x, tiles);
    cb_push_back(cb_y, tiles);
  }
  tilize_uninit(cb_x, cb_y);
}
