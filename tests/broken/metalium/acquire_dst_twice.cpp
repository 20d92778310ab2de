// SPDX-License-Identifier: Apache-2.0
// Calls acquire_dst although the iteration before has not called release_dst.
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
    cb_reserve_back(1, 1);
    acquire_dst();
    copy_tile(0, 0, 0);
    negative_tile(0);
    pack_tile(0, 1);
    cb_pop_front(0, 1);
    cb_push_back(1, 1);
  }
}
