// SPDX-License-Identifier: Apache-2.0
// Packs into a buffer without cb_reserve_back.
// role: compute

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  init_sfpu(0, 1);
  copy_tile_init(0);
  negative_tile_init();
  for (int i = 0; i < 2; ++i) {
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    negative_tile(0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 1);
    tile_regs_release();
    cb_pop_front(0, 1);
    cb_push_back(1, 1);
  }
}
