// SPDX-License-Identifier: Apache-2.0
// Makes the scaler 1, and reads strips of tiles.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"
#include "scaler.h"

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), strips = get_arg_val<uint32_t>(1);
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  constexpr auto x_args = TensorAccessorArgs<1>();
  constexpr auto cb_x = tt::CBIndex::c_0, cb_scaler = tt::CBIndex::c_1;
  const auto x = TensorAccessor(x_args, get_common_arg_val<uint32_t>(0), get_tile_size(cb_x));
  push_scaler(cb_scaler, 0x3f800000);
  for (uint32_t strip = first; strip < first + strips; ++strip) {
    cb_reserve_back(cb_x, tiles);
    uint32_t place = get_write_ptr(cb_x);
    for (uint32_t i = 0; i < tiles; ++i, place += get_tile_size(cb_x))
      noc_async_read_page(strip * tiles + i, x, place);
    noc_async_read_barrier();
    cb_push_back(cb_x, tiles);
  }
}
