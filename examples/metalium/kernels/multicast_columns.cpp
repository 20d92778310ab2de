// SPDX-License-Identifier: Apache-2.0
// The first core of each column reads the column's tiles of b and multicasts them to the others,
// over NOC_1: the rectangle begins at the last core. Afterwards each core writes its tile of the
// result.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

constexpr uint32_t inner = get_compile_time_arg_val(0), columns = get_compile_time_arg_val(1);
constexpr uint32_t rows = get_compile_time_arg_val(2);
constexpr uint32_t cb_b = tt::CBIndex::c_1, cb_y = tt::CBIndex::c_16, bytes = get_tile_size(cb_b);

template <typename Accessor> FORCE_INLINE void push_column(const Accessor &b) {
  uint32_t x = get_absolute_logical_x(), y = get_absolute_logical_y();
  uint32_t column = worker_logical_col_to_virtual_col[x];
  uint32_t first = worker_logical_row_to_virtual_row[0];
  uint32_t second = worker_logical_row_to_virtual_row[1];
  uint32_t last = worker_logical_row_to_virtual_row[rows - 1];
  uint32_t ready = get_semaphore(2), sent = get_semaphore(3);
  auto *ready_word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)ready;
  auto *sent_word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)sent;
  for (uint32_t k = 0; k < inner; ++k) {
    cb_reserve_back(cb_b, 1);
    uint32_t place = get_write_ptr(cb_b);
    if (y == 0) {
      noc_async_read_page(k * columns + x, b, place);
      noc_async_read_barrier();
      noc_semaphore_wait(ready_word, rows - 1);
      noc_semaphore_set(ready_word, 0);
      noc_async_write_multicast(place, get_noc_multicast_addr(column, last, column, second, place),
                                bytes, rows - 1);
      noc_semaphore_set(sent_word, VALID);
      noc_semaphore_set_multicast(sent, get_noc_multicast_addr(column, last, column, second, sent),
                                  rows - 1);
      noc_async_write_barrier();
    } else {
      noc_semaphore_set(sent_word, INVALID);
      noc_semaphore_inc(get_noc_addr(column, first, ready), 1);
      noc_semaphore_wait(sent_word, VALID);
    }
    cb_push_back(cb_b, 1);
  }
}

void kernel_main() {
  constexpr auto b_args = TensorAccessorArgs<3>();
  constexpr auto y_args = TensorAccessorArgs<b_args.next_compile_time_args_offset()>();
  push_column(TensorAccessor(b_args, get_common_arg_val<uint32_t>(0), bytes));
  const auto result = TensorAccessor(y_args, get_common_arg_val<uint32_t>(1), bytes);
  cb_wait_front(cb_y, 1);
  noc_async_write_page(get_absolute_logical_y() * columns + get_absolute_logical_x(), result,
                       get_read_ptr(cb_y));
  noc_async_write_barrier();
  cb_pop_front(cb_y, 1);
}
