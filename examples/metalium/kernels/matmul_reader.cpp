// SPDX-License-Identifier: Apache-2.0
// For each tile of the result, reads a row of tiles of a and a column of tiles of b.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t cb_a = get_compile_time_arg_val(0), cb_b = get_compile_time_arg_val(1);
  constexpr uint32_t rows = get_compile_time_arg_val(2), inner = get_compile_time_arg_val(3);
  constexpr uint32_t columns = get_compile_time_arg_val(4);
  constexpr auto a_args = TensorAccessorArgs<5>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  TensorAccessor a(a_args, get_common_arg_val<uint32_t>(0), 4096);
  TensorAccessor b(b_args, get_common_arg_val<uint32_t>(1), 4096);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column)
      for (uint32_t k = 0; k < inner; ++k) {
        cb_reserve_back(cb_a, 1);
        cb_reserve_back(cb_b, 1);
        noc_async_read_page(row * inner + k, a, get_write_ptr(cb_a));
        noc_async_read_page(k * columns + column, b, get_write_ptr(cb_b));
        noc_async_read_barrier();
        cb_push_back(cb_a, 1);
        cb_push_back(cb_b, 1);
      }
}
