// SPDX-License-Identifier: Apache-2.0
// Reads strips of 32 rows of a row-major tensor, from row get_arg_val(0) on.

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), strips = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb = get_compile_time_arg_val(0), tiles = get_compile_time_arg_val(1);
  constexpr uint32_t row_bytes = tiles * get_tile_size(cb) / 32;
  constexpr auto args = TensorAccessorArgs<2>();
  const TensorAccessor x(args, get_common_arg_val<uint32_t>(0), row_bytes);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    cb_reserve_back(cb, tiles);
    for (uint32_t row = 0; row < 32; ++row)
      noc_async_read_page(first + 32 * strip + row, x, get_write_ptr(cb) + row * row_bytes);
    noc_async_read_barrier();
    cb_push_back(cb, tiles);
  }
}
