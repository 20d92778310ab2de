// SPDX-License-Identifier: Apache-2.0
// Writes the tiles of a matrix column by column.

void kernel_main() {
  constexpr uint32_t cb = get_compile_time_arg_val(0), rows = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  constexpr auto args = TensorAccessorArgs<3>();
  const auto y = TensorAccessor(args, get_common_arg_val<uint32_t>(0), get_tile_size(cb));
  for (uint32_t column = 0; column < columns; ++column)
    for (uint32_t row = 0; row < rows; ++row) {
      cb_wait_front(cb, 1);
      noc_async_write_page(row * columns + column, y, get_read_ptr(cb));
      noc_async_write_barrier();
      cb_pop_front(cb, 1);
    }
}
