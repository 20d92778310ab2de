// SPDX-License-Identifier: Apache-2.0
// Running sums down the columns of a matrix. Its tiles arrive column by column.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/cumsum.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "section.h"

void kernel_main() {
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_y = get_compile_time_arg_val(1);
  constexpr uint32_t rows = get_compile_time_arg_val(2), columns = get_compile_time_arg_val(3);
  init_sfpu(cb_x, cb_y);
  copy_tile_init(cb_x);
  cumsum_tile_init();
  for (uint32_t i = 0; i < rows * columns; ++i) {
    cb_wait_front(cb_x, 1);
    tile_into(cb_y, [&] {
      copy_tile(cb_x, 0, 0);
      cumsum_tile(0, i % rows == 0);
    });
    cb_pop_front(cb_x, 1);
  }
}
