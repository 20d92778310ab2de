// SPDX-License-Identifier: Apache-2.0
// Writes the tiles of the core's column.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t cb_y = get_compile_time_arg_val(0), rows = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  constexpr auto y_args = TensorAccessorArgs<3>();
  TensorAccessor y(y_args, get_common_arg_val<uint32_t>(0), 4096);
  for (uint32_t row = 0; row < rows; ++row) {
    cb_wait_front(cb_y, 1);
    noc_async_write_page(row * columns + get_absolute_logical_x(), y, get_read_ptr(cb_y));
    noc_async_write_barrier();
    cb_pop_front(cb_y, 1);
  }
}
