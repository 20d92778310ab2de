// SPDX-License-Identifier: Apache-2.0
// Multicasts over NOC_1 from the smaller corner on, but its rectangles begin at the larger one.
// role: writer

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto y_args = TensorAccessorArgs<0>();
  TensorAccessor y(y_args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t column = get_absolute_logical_x();
  for (uint32_t i = 0; i < 2; ++i) {
    cb_wait_front(1, 1);
    noc_async_write_page(2 * column + i, y, get_read_ptr(1));
    noc_async_write_barrier();
    if (column == 0) {
      uint32_t x = worker_logical_col_to_virtual_col[0], y = worker_logical_row_to_virtual_row[0];
      noc_async_write_multicast_loopback_src(
          get_read_ptr(1), get_noc_multicast_addr(x, y, x + 1, y, get_read_ptr(1)), 4096, 2);
      noc_async_write_barrier();
    }
    cb_pop_front(1, 1);
  }
}
