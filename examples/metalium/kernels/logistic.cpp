// SPDX-License-Identifier: Apache-2.0
// Computes 1 / (1 + exp(-x)) of each tile.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/eltwise_unary/recip.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_y = get_compile_time_arg_val(1);
  constexpr uint32_t one = 0x3f800000; // the bits of 1.0f
  init_sfpu(cb_x, cb_y);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_x, 1);
    cb_reserve_back(cb_y, 1);
    tile_regs_acquire();
    copy_tile_init(cb_x);
    copy_tile(cb_x, 0, 0);
    negative_tile_init();
    negative_tile(0);
    exp_tile_init();
    exp_tile(0);
    binop_with_scalar_tile_init();
    add_unary_tile(0, one);
    recip_tile_init();
    recip_tile(0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, cb_y);
    tile_regs_release();
    cb_pop_front(cb_x, 1);
    cb_push_back(cb_y, 1);
  }
}
