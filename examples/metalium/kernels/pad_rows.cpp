// SPDX-License-Identifier: Apache-2.0
// Copies rows and appends zeros to each.

#include <algorithm>

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), count = get_arg_val<uint32_t>(1);
  constexpr uint32_t bytes = get_compile_time_arg_val(0), padded = get_compile_time_arg_val(1);
  constexpr auto x_args = TensorAccessorArgs<2>();
  constexpr auto y_args = TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
  const auto x = TensorAccessor(x_args, get_common_arg_val<uint32_t>(0), bytes);
  const auto y = TensorAccessor(y_args, get_common_arg_val<uint32_t>(1), padded);
  constexpr uint32_t cb = tt::CBIndex::c_0;
  cb_reserve_back(cb, 1);
  uint32_t place = get_write_ptr(cb);
  for (uint32_t at = bytes; at < padded; at += MEM_ZEROS_SIZE)
    noc_async_read(get_noc_addr(MEM_ZEROS_BASE), place + at, std::min(padded - at, MEM_ZEROS_SIZE));
  for (uint32_t row = first; row < first + count; ++row) {
    noc_async_read(get_noc_addr(row, x), place, bytes);
    noc_async_read_barrier();
    noc_async_write(place, get_noc_addr(row, y), padded);
    noc_async_write_barrier();
  }
  cb_push_back(cb, 1);
  cb_wait_front(cb, 1);
  cb_pop_front(cb, 1);
}
