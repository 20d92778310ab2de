// SPDX-License-Identifier: Apache-2.0
// Reads the scaler, and the tiles of one row of x.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  uint32_t row = get_arg_val<uint32_t>(0);
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_scaler = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  constexpr auto x_args = TensorAccessorArgs<3>();
  constexpr auto scaler_args = TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  TensorAccessor scaler(scaler_args, get_common_arg_val<uint32_t>(1), 4096);
  cb_reserve_back(cb_scaler, 1);
  noc_async_read_page(0, scaler, get_write_ptr(cb_scaler));
  noc_async_read_barrier();
  cb_push_back(cb_scaler, 1);
  for (uint32_t column = 0; column < columns; ++column) {
    cb_reserve_back(cb_x, 1);
    noc_async_read_page(row * columns + column, x, get_write_ptr(cb_x));
    noc_async_read_barrier();
    cb_push_back(cb_x, 1);
  }
}
