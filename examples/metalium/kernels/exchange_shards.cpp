// SPDX-License-Identifier: Apache-2.0
// Each core gets a tile of the shard of each core: tile i of shard j becomes tile j of shard i. The
// cores are an array of arguments.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  uint32_t own = get_arg_val<uint32_t>(0), cores = get_arg_val<uint32_t>(1);
  const auto *columns = (volatile tt_l1_ptr uint32_t *)get_arg_addr(2);
  const auto *rows = columns + cores;
  uint32_t from = get_common_arg_val<uint32_t>(0), to = get_common_arg_val<uint32_t>(1);
  constexpr uint32_t bytes = get_compile_time_arg_val(0);
  for (uint32_t i = 0; i < cores; ++i) {
    uint64_t shard = get_noc_addr(worker_logical_col_to_virtual_col[columns[i]],
                                  worker_logical_row_to_virtual_row[rows[i]], from);
    noc_async_read(shard + own * bytes, to + i * bytes, bytes);
  }
  noc_async_read_barrier();
}
