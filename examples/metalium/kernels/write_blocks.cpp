// SPDX-License-Identifier: Apache-2.0
// Writes sub-blocks of tiles to their places.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0), columns = get_compile_time_arg_val(1);
  constexpr uint32_t sub_rows = get_compile_time_arg_val(2);
  constexpr uint32_t sub_columns = get_compile_time_arg_val(3);
  constexpr auto y_args = TensorAccessorArgs<4>();
  constexpr uint32_t cb = tt::CBIndex::c_16, bytes = get_tile_size(cb);
  const auto y = TensorAccessor(y_args, get_common_arg_val<uint32_t>(0), bytes);
  for (uint32_t row = 0; row < rows; row += sub_rows)
    for (uint32_t column = 0; column < columns; column += sub_columns) {
      cb_wait_front(cb, sub_rows * sub_columns);
      for (uint32_t i = 0; i < sub_rows * sub_columns; ++i) {
        uint32_t page = (row + i / sub_columns) * columns + column + i % sub_columns;
        noc_async_write_page(page, y, get_read_ptr(cb) + i * bytes);
      }
      noc_async_writes_flushed();
      cb_pop_front(cb, sub_rows * sub_columns);
    }
  noc_async_write_barrier();
}
