// SPDX-License-Identifier: Apache-2.0
// Increments a semaphore twice before it waits for exactly 1, which the value has passed by then.
// role: reader

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto x_args = TensorAccessorArgs<0>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t column = get_absolute_logical_x();
  uint32_t word = get_semaphore(0);
  for (uint32_t i = 0; i < 2; ++i) {
    noc_semaphore_inc(get_noc_addr(18 + column, 18, word), 1);
    noc_semaphore_inc(get_noc_addr(18 + column, 18, word), 1);
    noc_async_atomic_barrier();
    noc_semaphore_wait((volatile tt_l1_ptr uint32_t *)word, 1);
    cb_reserve_back(0, 1);
    noc_async_read_page(2 * column + i, x, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}
