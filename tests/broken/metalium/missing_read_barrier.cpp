// SPDX-License-Identifier: Apache-2.0
// Pushes the tile while its read is still in flight.
// role: reader

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto x_args = TensorAccessorArgs<0>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t column = get_absolute_logical_x();
  for (uint32_t i = 0; i < 2; ++i) {
    cb_reserve_back(0, 1);
    noc_async_read_page(2 * column + i, x, get_write_ptr(0));
    cb_push_back(0, 1);
  }
}
