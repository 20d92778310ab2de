// SPDX-License-Identifier: Apache-2.0
// Pushes a page without cb_reserve_back.
// role: reader

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto x_args = TensorAccessorArgs<0>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t column = get_absolute_logical_x();
  for (uint32_t i = 0; i < 2; ++i) {
    cb_push_back(0, 1);
  }
}
