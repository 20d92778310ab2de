// SPDX-License-Identifier: Apache-2.0
// Reads tiles first, first + 1, ... of two tensors.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), count = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb_a = get_compile_time_arg_val(0), cb_b = get_compile_time_arg_val(1);
  constexpr auto a_args = TensorAccessorArgs<2>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  TensorAccessor a(a_args, get_common_arg_val<uint32_t>(0), 4096);
  TensorAccessor b(b_args, get_common_arg_val<uint32_t>(1), 4096);
  for (uint32_t i = 0; i < count; ++i) {
    cb_reserve_back(cb_a, 1);
    cb_reserve_back(cb_b, 1);
    noc_async_read_page(first + i, a, get_write_ptr(cb_a));
    noc_async_read_page(first + i, b, get_write_ptr(cb_b));
    noc_async_read_barrier();
    cb_push_back(cb_a, 1);
    cb_push_back(cb_b, 1);
  }
}
