// SPDX-License-Identifier: Apache-2.0
// Writes tiles first, first + 1, ... of a tensor.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), count = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb_y = get_compile_time_arg_val(0);
  constexpr auto y_args = TensorAccessorArgs<1>();
  TensorAccessor y(y_args, get_common_arg_val<uint32_t>(0), 4096);
  for (uint32_t i = 0; i < count; ++i) {
    cb_wait_front(cb_y, 1);
    noc_async_write_page(first + i, y, get_read_ptr(cb_y));
    noc_async_write_barrier();
    cb_pop_front(cb_y, 1);
  }
}
