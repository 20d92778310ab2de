// SPDX-License-Identifier: Apache-2.0
// Reads a and b for each block of the inner dimension: `rows` x `block` and `block` x `columns`
// tiles.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0), inner = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2), block = get_compile_time_arg_val(3);
  constexpr auto a_args = TensorAccessorArgs<4>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  constexpr uint32_t cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1, bytes = get_tile_size(cb_a);
  const auto a = TensorAccessor(a_args, get_common_arg_val<uint32_t>(0), bytes);
  const auto b = TensorAccessor(b_args, get_common_arg_val<uint32_t>(1), bytes);
  for (uint32_t k = 0; k < inner; k += block) {
    cb_reserve_back(cb_a, rows * block);
    cb_reserve_back(cb_b, block * columns);
    uint32_t place_a = get_write_ptr(cb_a), place_b = get_write_ptr(cb_b);
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t i = 0; i < block; ++i, place_a += bytes)
        noc_async_read_page(row * inner + k + i, a, place_a);
    for (uint32_t i = 0; i < block; ++i)
      for (uint32_t column = 0; column < columns; ++column, place_b += bytes)
        noc_async_read_page((k + i) * columns + column, b, place_b);
    noc_async_read_barrier();
    cb_push_back(cb_a, rows * block);
    cb_push_back(cb_b, block * columns);
  }
}
