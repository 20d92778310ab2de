// SPDX-License-Identifier: Apache-2.0
// Makes the scaler 1 / columns, reads gamma and beta once, and then strips of tiles.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"
#include "scaler.h"

template <typename Accessor>
FORCE_INLINE void push_tiles(uint32_t cb, const Accessor &tensor, uint32_t first, uint32_t count) {
  cb_reserve_back(cb, count);
  uint32_t place = get_write_ptr(cb);
  for (uint32_t i = 0; i < count; ++i, place += get_tile_size(cb))
    noc_async_read_tile(first + i, tensor, place);
  noc_async_read_barrier();
  cb_push_back(cb, count);
}

void kernel_main() {
  uint32_t first = get_arg_val<uint32_t>(0), strips = get_arg_val<uint32_t>(1);
  constexpr uint32_t tiles = get_compile_time_arg_val(0), scaler = get_compile_time_arg_val(1);
  const InterleavedAddrGenFast<true> x = {
      .bank_base_address = get_common_arg_val<uint32_t>(0),
      .page_size = 4096,
      .data_format = get_dataformat(tt::CBIndex::c_0),
  };
  const InterleavedAddrGenFast<true> gamma = {get_common_arg_val<uint32_t>(1), 4096,
                                              DataFormat::Float32};
  const InterleavedAddrGenFast<true> beta = {get_common_arg_val<uint32_t>(2), 4096,
                                             DataFormat::Float32};
  push_scaler(tt::CBIndex::c_1, scaler);
  push_tiles(tt::CBIndex::c_2, gamma, 0, tiles);
  push_tiles(tt::CBIndex::c_3, beta, 0, tiles);
  for (uint32_t strip = first; strip < first + strips; ++strip)
    push_tiles(tt::CBIndex::c_0, x, strip * tiles, tiles);
}
