// SPDX-License-Identifier: Apache-2.0
// Copies rows of 1000 bytes to a shard. The place of row 1 is not aligned as its source is.
// role: writer

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto y_args = TensorAccessorArgs<0>();
  TensorAccessor y(y_args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t column = get_absolute_logical_x();
  for (uint32_t i = 0; i < 2; ++i) {
    cb_wait_front(1, 1);
    uint32_t other = worker_logical_col_to_virtual_col[1 - column];
    uint64_t shard = get_noc_addr(other, worker_logical_row_to_virtual_row[0], get_write_ptr(0));
    for (uint32_t row = 0; row < 4; ++row)
      noc_async_write(get_read_ptr(1) + row * 1024, shard + row * 1000, 1000);
    noc_async_write_barrier();
    cb_pop_front(1, 1);
  }
}
