// SPDX-License-Identifier: Apache-2.0
// Products of blocks: both blocks are read once and used for all sub-blocks of the result. A buffer
// keeps the sums of the products of the blocks before.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/matmul.h"
#include "api/compute/tile_move_copy.h"

constexpr uint32_t rows = get_compile_time_arg_val(0), inner = get_compile_time_arg_val(1);
constexpr uint32_t columns = get_compile_time_arg_val(2), block = get_compile_time_arg_val(3);
constexpr uint32_t sub_rows = get_compile_time_arg_val(4),
                   sub_columns = get_compile_time_arg_val(5);
constexpr uint32_t count = sub_rows * sub_columns;
constexpr uint32_t cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1, cb_y = tt::CBIndex::c_16;
constexpr uint32_t cb_sums = tt::CBIndex::c_24;

ALWI void restore_sums() {
  copy_tile_to_dst_init_short(cb_sums);
  cb_wait_front(cb_sums, count);
  copy_block_matmul_partials(cb_sums, 0, 0, count);
  cb_pop_front(cb_sums, count);
}

ALWI void multiply(uint32_t row, uint32_t column, bool isFirst, bool isLast) {
  tile_regs_acquire();
  if (!isFirst)
    restore_sums();
  mm_block_init_short(cb_a, cb_b, 0, sub_columns, sub_rows, block);
  for (uint32_t k = 0; k < block; ++k)
    matmul_block(cb_a, cb_b, row * block + k, k * columns + column, 0, 0, sub_columns, sub_rows,
                 block);
  tile_regs_commit();
  uint32_t cb = isLast ? cb_y : cb_sums;
  cb_reserve_back(cb, count);
  tile_regs_wait();
  for (uint32_t i = 0; i < count; ++i)
    pack_tile(i, cb);
  tile_regs_release();
  cb_push_back(cb, count);
}

void kernel_main() {
  mm_block_init(cb_a, cb_b, cb_y, 0, sub_columns, sub_rows, block);
  for (uint32_t k = 0; k < inner; k += block) {
    cb_wait_front(cb_a, rows * block);
    cb_wait_front(cb_b, block * columns);
    for (uint32_t row = 0; row < rows; row += sub_rows)
      for (uint32_t column = 0; column < columns; column += sub_columns)
        multiply(row, column, k == 0, k + block == inner);
    cb_pop_front(cb_a, rows * block);
    cb_pop_front(cb_b, block * columns);
  }
}
