// SPDX-License-Identifier: Apache-2.0
// Reads the tile of bias once, then tiles of x and of the gate.

void kernel_main() {
  constexpr uint32_t cb_x = get_compile_time_arg_val(0), cb_gate = get_compile_time_arg_val(1);
  constexpr uint32_t cb_bias = get_compile_time_arg_val(2), count = get_compile_time_arg_val(3);
  constexpr auto x_args = TensorAccessorArgs<4>();
  constexpr auto gate_args = TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
  constexpr auto bias_args = TensorAccessorArgs<gate_args.next_compile_time_args_offset()>();
  const auto x = TensorAccessor(x_args, get_common_arg_val<uint32_t>(0), 4096);
  const auto gate = TensorAccessor(gate_args, get_common_arg_val<uint32_t>(1), 4096);
  const auto bias = TensorAccessor(bias_args, get_common_arg_val<uint32_t>(2), 4096);
  cb_reserve_back(cb_bias, 1);
  noc_async_read_page(0, bias, get_write_ptr(cb_bias));
  noc_async_read_barrier();
  cb_push_back(cb_bias, 1);
  for (uint32_t i = 0; i < count; ++i) {
    cb_reserve_back(cb_x, 1);
    cb_reserve_back(cb_gate, 1);
    noc_async_read_page(i, x, get_write_ptr(cb_x));
    noc_async_read_page(i, gate, get_write_ptr(cb_gate));
    noc_async_read_barrier();
    cb_push_back(cb_x, 1);
    cb_push_back(cb_gate, 1);
  }
}
