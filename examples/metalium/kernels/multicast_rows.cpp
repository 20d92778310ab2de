// SPDX-License-Identifier: Apache-2.0
// The first core of each row reads the row's tiles of a and multicasts them to the others.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr uint32_t inner = get_compile_time_arg_val(0), columns = get_compile_time_arg_val(1);
  constexpr auto a_args = TensorAccessorArgs<2>();
  constexpr uint32_t cb = tt::CBIndex::c_0, bytes = get_tile_size(cb);
  const auto a = TensorAccessor(a_args, get_common_arg_val<uint32_t>(0), bytes);
  uint32_t x = get_absolute_logical_x(), y = get_absolute_logical_y();
  uint32_t row = worker_logical_row_to_virtual_row[y];
  uint32_t first = worker_logical_col_to_virtual_col[0];
  uint32_t second = worker_logical_col_to_virtual_col[1];
  uint32_t last = worker_logical_col_to_virtual_col[columns - 1];
  uint32_t ready = get_semaphore(0), sent = get_semaphore(1);
  auto *ready_word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)ready;
  auto *sent_word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)sent;
  for (uint32_t k = 0; k < inner; ++k) {
    cb_reserve_back(cb, 1);
    uint32_t place = get_write_ptr(cb);
    if (x == 0) {
      noc_async_read_page(y * inner + k, a, place);
      noc_async_read_barrier();
      noc_semaphore_wait(ready_word, columns - 1);
      noc_semaphore_set(ready_word, 0);
      noc_async_write_multicast(place, get_noc_multicast_addr(second, row, last, row, place), bytes,
                                columns - 1);
      noc_semaphore_set(sent_word, VALID);
      noc_semaphore_set_multicast(sent, get_noc_multicast_addr(second, row, last, row, sent),
                                  columns - 1);
      noc_async_write_barrier();
    } else {
      noc_semaphore_set(sent_word, INVALID);
      noc_semaphore_inc(get_noc_addr(first, row, ready), 1);
      noc_semaphore_wait(sent_word, VALID);
    }
    cb_push_back(cb, 1);
  }
}
