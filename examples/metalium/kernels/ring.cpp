// SPDX-License-Identifier: Apache-2.0
// Core 0 reads a tile. Each other core tells the one before it that it has room, and waits until
// the tile has come. All but the last send it on.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t cb = get_compile_time_arg_val(0), cores = get_compile_time_arg_val(1);
  constexpr auto x_args = TensorAccessorArgs<2>();
  constexpr auto y_args = TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
  TensorAccessor x(x_args, get_common_arg_val<uint32_t>(0), 4096);
  TensorAccessor y(y_args, get_common_arg_val<uint32_t>(1), 4096);

  uint32_t column = get_absolute_logical_x();
  uint32_t row_y = worker_logical_row_to_virtual_row[0];
  uint32_t ready = get_semaphore(0), arrived = get_semaphore(1);
  cb_reserve_back(cb, 1);
  uint32_t place = get_write_ptr(cb); // the same on all cores
  if (column == 0) {
    noc_async_read_page(0, x, place);
    noc_async_read_barrier();
  } else {
    uint32_t before_x = worker_logical_col_to_virtual_col[column - 1];
    noc_semaphore_inc(get_noc_addr(before_x, row_y, ready), 1);
    noc_async_atomic_barrier();
    noc_semaphore_wait((volatile tt_l1_ptr uint32_t *)(uintptr_t)arrived, 1);
  }
  if (column + 1 < cores) {
    uint32_t next_x = worker_logical_col_to_virtual_col[column + 1];
    noc_semaphore_wait((volatile tt_l1_ptr uint32_t *)(uintptr_t)ready, 1);
    noc_async_write(place, get_noc_addr(next_x, row_y, place), 4096);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(next_x, row_y, arrived), 1);
    noc_async_atomic_barrier();
  }
  noc_async_write_page(column, y, place);
  noc_async_write_barrier();
}
