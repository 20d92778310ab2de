// SPDX-License-Identifier: Apache-2.0
// Reads tiles first, first + 1, ... of a tensor.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), count = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0);
  constexpr auto x_args = TensorAccessorArgs<1>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  for (uint32_t i = 0; i < count; ++i) {
    cb_reserve_back(cb_x, 1);
    noc_async_read_page(first + i, x, get_write_ptr(cb_x));
    noc_async_read_barrier();
    cb_push_back(cb_x, 1);
  }
}
