// SPDX-License-Identifier: Apache-2.0
// A kernel without mistakes. The broken kernels are copies of it with one mistake each.
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
    cb_pop_front(1, 1);
  }
}
