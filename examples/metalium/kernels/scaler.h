// SPDX-License-Identifier: Apache-2.0
// What readers of this folder share.
#pragma once

// Makes a tile of float32 with a number in row 0 of each face, and zeros: the scaler of a
// reduction.
FORCE_INLINE void push_scaler(uint32_t cb, uint32_t bits) {
  cb_reserve_back(cb, 1);
  uint32_t place = get_write_ptr(cb);
  for (uint32_t at = 0; at < 4096; at += MEM_ZEROS_SIZE)
    noc_async_read(get_noc_addr(MEM_ZEROS_BASE), place + at, MEM_ZEROS_SIZE);
  noc_async_read_barrier();
  volatile tt_l1_ptr uint32_t *words = (volatile tt_l1_ptr uint32_t *)(uintptr_t)place;
  for (uint32_t face = 0; face < 4; ++face)
    for (uint32_t column = 0; column < 16; ++column)
      words[256 * face + column] = bits;
  cb_push_back(cb, 1);
}
