// SPDX-License-Identifier: Apache-2.0
// Adds up `inner` products of tiles for each tile of the result.

#include "api/compute/matmul.h"
#include "api/compute/compute_kernel_api.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_a = get_compile_time_arg_val(0), cb_b = get_compile_time_arg_val(1);
  constexpr uint32_t cb_y = get_compile_time_arg_val(2), inner = get_compile_time_arg_val(3);
  mm_init(cb_a, cb_b, cb_y);
  for (uint32_t i = 0; i < count; ++i) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < inner; ++k) {
      cb_wait_front(cb_a, 1);
      cb_wait_front(cb_b, 1);
      matmul_tiles(cb_a, cb_b, 0, 0, 0);
      cb_pop_front(cb_a, 1);
      cb_pop_front(cb_b, 1);
    }
    tile_regs_commit();
    cb_reserve_back(cb_y, 1);
    tile_regs_wait();
    pack_tile(0, cb_y);
    tile_regs_release();
    cb_push_back(cb_y, 1);
  }
}
