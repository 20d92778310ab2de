// SPDX-License-Identifier: Apache-2.0
// Asks for a product with the transpose of the second operand, which the emulated device lacks.
// role: compute

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/matmul.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  init_sfpu(0, 1);
  negative_tile_init();
  for (int i = 0; i < 2; ++i) {
    cb_wait_front(0, 1);
    cb_reserve_back(1, 1);
    mm_init_short(0, 0, 1);
    tile_regs_acquire();
    matmul_tiles(0, 0, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 1);
    tile_regs_release();
    cb_pop_front(0, 1);
    cb_push_back(1, 1);
  }
}
