// SPDX-License-Identifier: Apache-2.0
// Uniform random numbers from `low` to `low` + `scale`; each core has a seed of its own.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/rand.h"
#include "section.h"

void kernel_main() {
  uint32_t seed = get_arg_val<uint32_t>(0), count = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb = get_compile_time_arg_val(0);
  constexpr uint32_t low = get_compile_time_arg_val(1), scale = get_compile_time_arg_val(2);
  init_sfpu(cb, cb);
  rand_tile_init(seed);
  for (uint32_t i = 0; i < count; ++i)
    tile_into(cb, [&] { rand_tile(0, low, scale); });
}
