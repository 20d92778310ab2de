// SPDX-License-Identifier: Apache-2.0
// Adds two tiles into DST[0], subtracts them into DST[1], and multiplies the two registers.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_a = get_compile_time_arg_val(0), cb_b = get_compile_time_arg_val(1);
  constexpr uint32_t cb_y = get_compile_time_arg_val(2);
  binary_op_init_common(cb_a, cb_b, cb_y);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_a, 1);
    cb_wait_front(cb_b, 1);
    cb_reserve_back(cb_y, 1);
    tile_regs_acquire();
    add_tiles_init(cb_a, cb_b);
    add_tiles(cb_a, cb_b, 0, 0, 0);
    sub_tiles_init(cb_a, cb_b);
    sub_tiles(cb_a, cb_b, 0, 0, 1);
    mul_binary_tile_init();
    mul_binary_tile(0, 1, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, cb_y);
    tile_regs_release();
    cb_pop_front(cb_a, 1);
    cb_pop_front(cb_b, 1);
    cb_push_back(cb_y, 1);
  }
}
