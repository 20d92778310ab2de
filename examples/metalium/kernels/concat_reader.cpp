// SPDX-License-Identifier: Apache-2.0
// Reads the tiles of several tensors, one tensor after the other. Their addresses and numbers of
// tiles are two arrays of arguments.

#include "dataflow_api.h"

void kernel_main() {
  uint32_t count = get_arg_val<uint32_t>(0);
  auto *addresses = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_arg_addr(1));
  auto *tiles = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_arg_addr(1 + count));
  constexpr uint32_t cb = tt::CB::c_in0;
  for (uint32_t i = 0; i < count; ++i) {
    const InterleavedPow2AddrGenFast<true> tensor = {.bank_base_address = addresses[i],
                                                     .log_base_2_of_page_size = 12};
    for (uint32_t tile = 0; tile < tiles[i]; ++tile) {
      cb_reserve_back(cb, 1);
      tensor.noc_async_read_page(tile, get_write_ptr(cb));
      noc_async_read_barrier();
      cb_push_back(cb, 1);
    }
  }
}
