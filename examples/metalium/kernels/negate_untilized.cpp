// SPDX-License-Identifier: Apache-2.0
// Negates a strip of tiles in DST, and packs it as rows.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/pack_untilize.h"

void kernel_main() {
  uint32_t strips = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_y = get_compile_time_arg_val(1);
  constexpr uint32_t tiles = get_compile_time_arg_val(2);
  init_sfpu(cb_x, cb_y);
  copy_tile_init(cb_x);
  negative_tile_init();
  pack_untilize_dest_init<tiles>(cb_y);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    cb_wait_front(cb_x, tiles);
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; ++i) {
      copy_tile(cb_x, i, i);
      negative_tile(i);
    }
    tile_regs_commit();
    cb_pop_front(cb_x, tiles);
    cb_reserve_back(cb_y, tiles);
    tile_regs_wait();
    pack_untilize_dest<tiles>(cb_y);
    tile_regs_release();
    cb_push_back(cb_y, tiles);
  }
  pack_untilize_uninit(cb_y);
}
