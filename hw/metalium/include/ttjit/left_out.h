//===- left_out.h - functions that the emulated device does not have *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium's functions that the emulated device lacks. A call of one is an error of Clang at its
// line, which says why. docs/metalium.md lists the same functions: a test compares both.
//===--------------------------------------------------------------------------===//

#pragma once

// Accepts any template arguments: none, numbers, or types followed by numbers.
#define TTJIT_LEFT_OUT(name, why)                                                                  \
  template <auto... numbers, typename... Args>                                                     \
  __attribute__((unavailable(why))) int name(Args...);                                             \
  template <typename Type, auto... numbers, typename... Args>                                      \
  __attribute__((unavailable(why))) int name(Args...);
#define TTJIT_LEFT_OUT_2(why, a, b) TTJIT_LEFT_OUT(a, why) TTJIT_LEFT_OUT(b, why)
#define TTJIT_LEFT_OUT_3(why, a, b, c) TTJIT_LEFT_OUT(a, why) TTJIT_LEFT_OUT_2(why, b, c)
#define TTJIT_LEFT_OUT_4(why, a, b, c, d) TTJIT_LEFT_OUT_2(why, a, b) TTJIT_LEFT_OUT_2(why, c, d)
#define TTJIT_LEFT_OUT_TILE(name, why) TTJIT_LEFT_OUT_2(why, name, name##_init)

//===--- Data movement --------------------------------------------------------===//

#ifndef COMPILE_FOR_TRISC
TTJIT_LEFT_OUT(get_system_memory_noc_addr,
               "the emulated device has no way to the memory of the host")
TTJIT_LEFT_OUT_4("set a transfer id with noc_async_read_set_trid or noc_async_write_set_trid, and "
                 "wait for it with a barrier with an id",
                 noc_async_read_one_packet_with_state_with_trid,
                 noc_async_write_one_packet_with_trid,
                 noc_async_write_one_packet_with_trid_set_state,
                 noc_async_write_one_packet_with_trid_with_state)
TTJIT_LEFT_OUT(reset_noc_trid_barrier_counter,
               "wait for the transfers with noc_async_read_barrier_with_trid or "
               "noc_async_write_barrier_with_trid")
TTJIT_LEFT_OUT_3("it is wrong on NOC_1 of the card; copy the pages of the shard one by one",
                 noc_async_read_shard, noc_async_write_shard, get_shard_noc_addr)
TTJIT_LEFT_OUT_3("noc_inline_dw_write writes a word to one core", noc_inline_mcast_dw_write,
                 noc_inline_dw_write_set_state, noc_inline_dw_write_with_state)
#endif

//===--- Compute --------------------------------------------------------------===//

#ifdef COMPILE_FOR_TRISC
namespace ckernel {
TTJIT_LEFT_OUT_4("the emulated packer writes whole tiles as they are", pack_relu_config, pack_rows,
                 pack_rows_init, pack_rows_uninit)
TTJIT_LEFT_OUT(llk_pack_relu_config, "the emulated packer writes whole tiles as they are; call "
                                     "relu_tile")
TTJIT_LEFT_OUT_2("it is a part of an operation on one processor; call the whole operation",
                 matmul_tiles_math, reduce_tile_math)
TTJIT_LEFT_OUT_3("the emulated device tilizes one buffer: call tilize_block, then reduce_tile",
                 tilizeA_B_reduce_init, unpack_tilizeA_B_block, unpack_tilizeA_B_uninit)
TTJIT_LEFT_OUT_4("sorting within DST is not emulated", topk_local_sort, topk_merge, topk_rebuild,
                 topk_tile_init)
TTJIT_LEFT_OUT_3("sums within DST are not emulated; call reduce_tile", sfpu_sum_int_init,
                 sfpu_sum_int_col, sfpu_sum_int_row)
TTJIT_LEFT_OUT_3("call reduce_tile with PoolType::MAX", reduce_block_max_row,
                 reduce_block_max_row_init, reduce_block_max_row_uninit)
TTJIT_LEFT_OUT_2("places within DST are not emulated; call reduce_tile with PoolType::MAX",
                 max_reduce_with_indices, max_reduce_with_indices_init)
TTJIT_LEFT_OUT_4("running means within DST are not emulated; reduce x and x * x", welford_init,
                 welford_clear, welford_update, welford_update_rows)
TTJIT_LEFT_OUT_4("running means within DST are not emulated; reduce x and x * x",
                 welford_save_state, welford_restore_state, welford_finalize_to_row,
                 welford_finalize_to_face)
TTJIT_LEFT_OUT_2("the card's random numbers are not specified; compare rand_tile with the rate",
                 dropout_tile, dropout_kernel_init)
TTJIT_LEFT_OUT(stochastic_round_tile, "the card's random numbers are not specified")
#define TTJIT_UNDEFINED                                                                            \
  "the bits of its results are not specified, and the language has no such "                       \
  "function"
TTJIT_LEFT_OUT_TILE(addcmul_tile, "multiply with mul_binary_tile, and add with add_binary_tile")
TTJIT_LEFT_OUT_TILE(alt_complex_rotate90_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(digamma_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(erfinv_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(fmod_int32_tile, "the emulated device has remainder_int32_tile")
TTJIT_LEFT_OUT_TILE(gcd_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(hardmish_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(i0_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(i1_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(lcm_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(lgamma_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(logsigmoid_tile, "call sigmoid_tile, then log_tile")
TTJIT_LEFT_OUT_TILE(mish_tile, "call softplus_tile, tanh_tile and mul_binary_tile")
TTJIT_LEFT_OUT_TILE(polygamma_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(tanhshrink_tile, "call tanh_tile, then sub_binary_tile")
TTJIT_LEFT_OUT_TILE(tiled_prod_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(xielu_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(xlogy_binary_tile, "call log_tile, then mul_binary_tile")
TTJIT_LEFT_OUT_TILE(quant_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(requant_tile, TTJIT_UNDEFINED)
TTJIT_LEFT_OUT_TILE(dequant_tile, TTJIT_UNDEFINED)
#undef TTJIT_UNDEFINED
TTJIT_LEFT_OUT_2("a kernel of the emulated device has no instructions of its own",
                 _llk_math_eltwise_unary_sfpu_params_, _llk_math_eltwise_binary_sfpu_params_)
TTJIT_LEFT_OUT_2("the three processors of the emulated core are one thread", mailbox_read,
                 mailbox_write)
} // namespace ckernel
using namespace ckernel;
#endif

#undef TTJIT_LEFT_OUT
#undef TTJIT_LEFT_OUT_2
#undef TTJIT_LEFT_OUT_3
#undef TTJIT_LEFT_OUT_4
#undef TTJIT_LEFT_OUT_TILE
