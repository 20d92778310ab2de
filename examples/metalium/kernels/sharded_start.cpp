// SPDX-License-Identifier: Apache-2.0
// The shards of the tensors are already in the buffers: all their tiles can be used at once.

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  for (uint32_t cb : {uint32_t(tt::CBIndex::c_0), uint32_t(tt::CBIndex::c_1)}) {
    cb_reserve_back(cb, tiles);
    cb_push_back(cb, tiles);
  }
}
