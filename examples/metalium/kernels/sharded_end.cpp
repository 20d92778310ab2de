// SPDX-License-Identifier: Apache-2.0
// The result stays where it is: the kernel ends when all tiles of it are there.

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  cb_wait_front(tt::CBIndex::c_16, tiles);
}
