// SPDX-License-Identifier: Apache-2.0
// x * y - x with the API of 2023: the entry is MAIN, inits have default buffers, and acquire_dst
// and release_dst begin and end each use of DST.

#include <cstdint>

#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/tile_move_copy.h"

namespace NAMESPACE {
void MAIN {
  uint32_t count = get_compile_time_arg_val(0);
  constexpr auto cb_x = tt::CB::c_in0, cb_y = tt::CB::c_in1;
  constexpr auto cb_product = tt::CB::c_intermed0, cb_out = tt::CB::c_out0;
  binary_op_init_common(cb_x, cb_y);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_x, 1);
    cb_wait_front(cb_y, 1);

    cb_reserve_back(cb_product, 1);
    acquire_dst(tt::DstMode::Half);
    mul_tiles_init();
    mul_tiles(cb_x, cb_y, 0, 0, 0);
    pack_tile(0, cb_product);
    release_dst(tt::DstMode::Half);
    cb_push_back(cb_product, 1);

    cb_wait_front(cb_product, 1);
    cb_reserve_back(cb_out, 1);
    acquire_dst(tt::DstMode::Half);
    sub_tiles_init();
    sub_tiles(cb_product, cb_x, 0, 0, 0);
    pack_tile(0, cb_out);
    release_dst(tt::DstMode::Half);
    cb_push_back(cb_out, 1);

    cb_pop_front(cb_product, 1);
    cb_pop_front(cb_x, 1);
    cb_pop_front(cb_y, 1);
  }
}
} // namespace NAMESPACE
