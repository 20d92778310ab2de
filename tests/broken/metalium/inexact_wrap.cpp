// SPDX-License-Identifier: Apache-2.0
// Pushes one page, then two: the second block would wrap past the end of the buffer, which has two.
// role: reader

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto x_args = TensorAccessorArgs<0>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t first = 2 * get_absolute_logical_x();
  cb_reserve_back(0, 1);
  noc_async_read_page(first, x, get_write_ptr(0));
  noc_async_read_barrier();
  cb_push_back(0, 1);
  cb_reserve_back(0, 2);
  noc_async_read_page(first + 1, x, get_write_ptr(0));
  noc_async_read_barrier();
  cb_push_back(0, 2);
}
