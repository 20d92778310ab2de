// SPDX-License-Identifier: Apache-2.0
// Transposes each tile.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/transpose_wh.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_y = get_compile_time_arg_val(1);
  transpose_wh_init(cb_x, cb_y);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_x, 1);
    cb_reserve_back(cb_y, 1);
    tile_regs_acquire();
    transpose_wh_tile(cb_x, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, cb_y);
    tile_regs_release();
    cb_pop_front(cb_x, 1);
    cb_push_back(cb_y, 1);
  }
}
