// SPDX-License-Identifier: Apache-2.0
// What compute kernels of this folder share.
#pragma once

// Calls `compute`, which leaves one tile in DST register 0, and packs the tile to `cb`.
template <typename Compute> ALWI void tile_into(uint32_t cb, Compute compute) {
  tile_regs_acquire();
  compute();
  tile_regs_commit();
  cb_reserve_back(cb, 1);
  tile_regs_wait();
  pack_tile(0, cb);
  tile_regs_release();
  cb_push_back(cb, 1);
}
