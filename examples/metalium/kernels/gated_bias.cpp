// SPDX-License-Identifier: Apache-2.0
// relu(x + bias) * gate: one row of bias for all rows, and the sum stays in DST for the product.

#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/relu.h"
#include "section.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_gate = get_compile_time_arg_val(1);
  constexpr uint32_t cb_bias = get_compile_time_arg_val(2), cb_y = get_compile_time_arg_val(3);
  constexpr auto reuse = EltwiseBinaryReuseDestType::DEST_TO_SRCA;
  init_bcast<ELWADD, BroadcastType::ROW>(cb_x, cb_bias, cb_y);
  relu_tile_init();
  cb_wait_front(cb_bias, 1);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_x, 1);
    cb_wait_front(cb_gate, 1);
    tile_into(cb_y, [&] {
      add_bcast_rows_init_short(cb_x, cb_bias);
      add_tiles_bcast_rows(cb_x, cb_bias, 0, 0, 0);
      relu_tile(0);
      binary_dest_reuse_tiles_init<ELWMUL, reuse>(cb_gate);
      binary_dest_reuse_tiles<ELWMUL, reuse>(cb_gate, 0, 0);
    });
    cb_pop_front(cb_x, 1);
    cb_pop_front(cb_gate, 1);
  }
  cb_pop_front(cb_bias, 1);
}
