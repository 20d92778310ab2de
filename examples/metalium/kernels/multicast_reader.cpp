// SPDX-License-Identifier: Apache-2.0
// Core (0, 0) reads each tile of a and multicasts it to all cores of the row, when all of them have
// room. Each core reads the tiles of its own column of b.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t cb_a = get_compile_time_arg_val(0), cb_b = get_compile_time_arg_val(1);
  constexpr uint32_t rows = get_compile_time_arg_val(2), inner = get_compile_time_arg_val(3);
  constexpr uint32_t cores = get_compile_time_arg_val(4);
  constexpr auto a_args = TensorAccessorArgs<5>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  TensorAccessor a(a_args, get_common_arg_val<uint32_t>(0), 4096);
  TensorAccessor b(b_args, get_common_arg_val<uint32_t>(1), 4096);

  uint32_t column = get_absolute_logical_x();
  uint32_t row_y = worker_logical_row_to_virtual_row[0];
  uint32_t first_x = worker_logical_col_to_virtual_col[0];
  uint32_t second_x = worker_logical_col_to_virtual_col[1];
  uint32_t last_x = worker_logical_col_to_virtual_col[cores - 1];
  uint32_t ready = get_semaphore(0), sent = get_semaphore(1);
  volatile tt_l1_ptr uint32_t *ready_word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)ready;
  volatile tt_l1_ptr uint32_t *sent_word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)sent;

  for (uint32_t tile = 0; tile < rows * inner; ++tile) {
    cb_reserve_back(cb_a, 1);
    uint32_t place = get_write_ptr(cb_a); // the same on all cores
    if (column == 0) {
      noc_async_read_page(tile, a, place);
      noc_async_read_barrier();
      noc_semaphore_wait(ready_word, cores - 1);
      noc_semaphore_set(ready_word, 0);
      noc_semaphore_set(sent_word, 1);
      noc_async_write_multicast(
          place, get_noc_multicast_addr(second_x, row_y, last_x, row_y, place), 4096, cores - 1);
      noc_semaphore_set_multicast(
          sent, get_noc_multicast_addr(second_x, row_y, last_x, row_y, sent), cores - 1);
      noc_async_write_barrier();
    } else {
      noc_semaphore_set(sent_word, 0);
      noc_semaphore_inc(get_noc_addr(first_x, row_y, ready), 1);
      noc_semaphore_wait(sent_word, 1);
    }
    cb_push_back(cb_a, 1);

    cb_reserve_back(cb_b, 1);
    noc_async_read_page(tile % inner * cores + column, b, get_write_ptr(cb_b));
    noc_async_read_barrier();
    cb_push_back(cb_b, 1);
  }
}
