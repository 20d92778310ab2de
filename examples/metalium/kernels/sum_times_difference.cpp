// SPDX-License-Identifier: Apache-2.0
// y = (a + b) * (a - b). The difference goes through buffer tmp; the sum stays in DST, which is the
// first operand of the product.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_a = get_compile_time_arg_val(0), cb_b = get_compile_time_arg_val(1);
  constexpr uint32_t cb_y = get_compile_time_arg_val(2), cb_tmp = get_compile_time_arg_val(3);
  constexpr auto first = EltwiseBinaryReuseDestType::DEST_TO_SRCA;
  binary_op_init_common(cb_a, cb_b, cb_y);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_a, 1);
    cb_wait_front(cb_b, 1);

    cb_reserve_back(cb_tmp, 1);
    tile_regs_acquire();
    sub_tiles_init(cb_a, cb_b);
    sub_tiles(cb_a, cb_b, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, cb_tmp);
    tile_regs_release();
    cb_push_back(cb_tmp, 1);

    cb_wait_front(cb_tmp, 1);
    cb_reserve_back(cb_y, 1);
    tile_regs_acquire();
    add_tiles_init(cb_a, cb_b);
    add_tiles(cb_a, cb_b, 0, 0, 0);
    binary_dest_reuse_tiles_init<EltwiseBinaryType::ELWMUL, first>(cb_tmp);
    binary_dest_reuse_tiles<EltwiseBinaryType::ELWMUL, first>(cb_tmp, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, cb_y);
    tile_regs_release();
    cb_push_back(cb_y, 1);

    cb_pop_front(cb_tmp, 1);
    cb_pop_front(cb_a, 1);
    cb_pop_front(cb_b, 1);
  }
}
