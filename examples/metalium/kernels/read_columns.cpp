// SPDX-License-Identifier: Apache-2.0
// Reads the tiles of a matrix column by column.

void kernel_main() {
  constexpr uint32_t cb = get_compile_time_arg_val(0), rows = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  constexpr auto args = TensorAccessorArgs<3>();
  const auto x = TensorAccessor(args, get_common_arg_val<uint32_t>(0), get_tile_size(cb));
  for (uint32_t column = 0; column < columns; ++column)
    for (uint32_t row = 0; row < rows; ++row) {
      cb_reserve_back(cb, 1);
      noc_async_read_page(row * columns + column, x, get_write_ptr(cb));
      noc_async_read_barrier();
      cb_push_back(cb, 1);
    }
}
