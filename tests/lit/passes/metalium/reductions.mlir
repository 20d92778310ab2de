// Reductions, broadcasts, transposes, numbers as bits, and variants that are not the default.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#sum = loc("sum.py":20:13)

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>

func.func @sum__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %half = arith.constant 5.000000e-01 : f32
  %third = arith.constant 0.333333343 : f32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("x_dfb"("sum.py":8:13))
  %s = ttkernel.get_compile_time_arg_val(1) : () -> !cb loc("s_dfb"("sum.py":9:13))
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb loc("y_dfb"("sum.py":10:13))
  ttkernel.compute_kernel_hw_startup(%x, %s, %y) : (!cb, !cb, !cb) -> () loc("sum.py":17:5)
  ttkernel.reduce_init(%x, %s, %y) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!cb, !cb, !cb) -> () loc(#sum)
  ttkernel.tile_regs_acquire() : () -> () loc(#sum)
  ttkernel.reduce_tile(%x, %s, %i1, %i0, %i0) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!cb, !cb, i32, i32, i32) -> () loc(#sum)
  ttkernel.tile_regs_commit() : () -> () loc(#sum)
  ttkernel.tile_regs_wait() : () -> () loc(#sum)
  ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> () loc(#sum)
  ttkernel.tile_regs_release() : () -> () loc(#sum)
  ttkernel.reduce_uninit() : () -> () loc(#sum)
  ttkernel.reduce_init(%x, %s, %y) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_scalar>, reduce_type = #ttkernel.reduce_type<reduce_max>} : (!cb, !cb, !cb) -> () loc(#sum)
  ttkernel.reduce_uninit() : () -> () loc(#sum)
  ttkernel.unary_bcast_init(%x, %y) {bcast_type = #ttkernel.bcast_type<col>} : (!cb, !cb) -> () loc(#sum)
  ttkernel.tile_regs_acquire() : () -> () loc(#sum)
  ttkernel.unary_bcast(%x, %i0, %i1) {bcast_type = #ttkernel.bcast_type<col>} : (!cb, i32, i32) -> () loc(#sum)
  ttkernel.unary_bcast_uninit(%x) {bcast_type = #ttkernel.bcast_type<col>} : (!cb) -> () loc(#sum)
  ttkernel.transpose_wh_init_short(%x) : (!cb) -> () loc(#sum)
  ttkernel.transpose_wh_tile(%x, %i1, %i0) : (!cb, i32, i32) -> () loc(#sum)
  ttkernel.binop_with_scalar_tile_init() : () -> () loc(#sum)
  ttkernel.add_unary_tile(%i0, %half) : (i32, f32) -> () loc(#sum)
  ttkernel.mul_unary_tile(%i0, %third) : (i32, f32) -> () loc(#sum)
  ttkernel.clamp_tile_init() : () -> () loc(#sum)
  ttkernel.clamp_tile(%i0, %third, %half) : (i32, f32, f32) -> () loc(#sum)
  ttkernel.rounding_op_tile_init() : () -> () loc(#sum)
  ttkernel.floor_tile(%i0) : (i32) -> () loc(#sum)
  ttkernel.round_tile(%i0, %i2) : (i32, i32) -> () loc(#sum)
  ttkernel.power_iterative_tile_init() : () -> () loc(#sum)
  ttkernel.power_iterative_tile(%i0, %i2) : (i32, i32) -> () loc(#sum)
  ttkernel.gelu_tile_init() : () -> () loc(#sum)
  ttkernel.gelu_tile(%i0) : (i32) -> () loc(#sum)
  ttkernel.erf_tile_init() : () -> () loc(#sum)
  ttkernel.erf_tile(%i0) : (i32) -> () loc(#sum)
  ttkernel.where_tile_init() : () -> () loc(#sum)
  ttkernel.where_tile(%i0, %i1, %i0, %i2) : (i32, i32, i32, i32) -> () loc(#sum)
  ttkernel.mask_tile_init() : () -> () loc(#sum)
  ttkernel.mask_tile(%i0, %i1) : (i32, i32) -> () loc(#sum)
  ttkernel.mask_posinf_tile(%i0, %i1) : (i32, i32) -> () loc(#sum)
  ttkernel.tile_regs_commit() : () -> () loc(#sum)
  ttkernel.tile_regs_wait() : () -> () loc(#sum)
  ttkernel.pack_tile(%i2, %y, %i0) : (i32, !cb, i32) -> () loc(#sum)
  ttkernel.tile_regs_release() : () -> () loc(#sum)
  func.return
} loc("sum.py":17:5)

//      CHECK://--- sum_compute.cpp
// CHECK-NEXT:// Thread 'compute' of kernel 'sum', sum.py:17.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/compute/bcast.h"
// CHECK-NEXT:#include "api/compute/common.h"
// CHECK-NEXT:#include "api/compute/compute_kernel_api.h"
// CHECK-NEXT:#include "api/compute/compute_kernel_hw_startup.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/binop_with_scalar.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/clamp.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/comp.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/erf_erfc.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/gelu.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/rounding.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/where.h"
// CHECK-NEXT:#include "api/compute/mask.h"
// CHECK-NEXT:#include "api/compute/pack.h"
// CHECK-NEXT:#include "api/compute/reduce.h"
// CHECK-NEXT:#include "api/compute/reg_api.h"
// CHECK-NEXT:#include "api/compute/transpose_wh.h"
// CHECK-EMPTY:
// CHECK-NEXT:// The compute API takes a number as its bits.
// CHECK-NEXT:inline uint32_t ttl_bits(float x) { return __builtin_bit_cast(uint32_t, x); }
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t x_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT:  constexpr uint32_t s_dfb = get_compile_time_arg_val(1);
// CHECK-NEXT:  constexpr uint32_t y_dfb = get_compile_time_arg_val(2);
// CHECK-EMPTY:
// CHECK-NEXT:  // sum.py:17
// CHECK-NEXT:  compute_kernel_hw_startup(x_dfb, s_dfb, y_dfb);
// CHECK-NEXT:  // sum.py:20
// CHECK-NEXT:  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(x_dfb, s_dfb, y_dfb);
// CHECK-NEXT:  tile_regs_acquire();
// CHECK-NEXT:  reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(x_dfb, s_dfb, 1, 0, 0);
// CHECK-NEXT:  tile_regs_commit();
// CHECK-NEXT:  tile_regs_wait();
// CHECK-NEXT:  pack_tile<true>(0, y_dfb, 0);
// CHECK-NEXT:  tile_regs_release();
// CHECK-NEXT:  reduce_uninit();
// CHECK-NEXT:  reduce_init<PoolType::MAX, ReduceDim::REDUCE_SCALAR>(x_dfb, s_dfb, y_dfb);
// CHECK-NEXT:  reduce_uninit();
// CHECK-NEXT:  unary_bcast_init<BroadcastType::COL>(x_dfb, y_dfb);
// CHECK-NEXT:  tile_regs_acquire();
// CHECK-NEXT:  unary_bcast<BroadcastType::COL>(x_dfb, 0, 1);
// CHECK-NEXT:  unary_bcast_uninit<BroadcastType::COL>(x_dfb);
// CHECK-NEXT:  transpose_wh_init_short(x_dfb);
// CHECK-NEXT:  transpose_wh_tile(x_dfb, 1, 0);
// CHECK-NEXT:  binop_with_scalar_tile_init();
// CHECK-NEXT:  add_unary_tile(0, ttl_bits(0.5f));
// CHECK-NEXT:  mul_unary_tile(0, ttl_bits(0.33333334f));
// CHECK-NEXT:  clamp_tile_init();
// CHECK-NEXT:  clamp_tile(0, ttl_bits(0.33333334f), ttl_bits(0.5f));
// CHECK-NEXT:  rounding_op_tile_init();
// CHECK-NEXT:  floor_tile(0);
// CHECK-NEXT:  round_tile(0, 2);
// CHECK-NEXT:  power_iterative_tile_init();
// CHECK-NEXT:  power_iterative_tile(0, 2);
// CHECK-NEXT:  gelu_tile_init<false>();
// CHECK-NEXT:  gelu_tile<false>(0);
// CHECK-NEXT:  erf_tile_init<false>();
// CHECK-NEXT:  erf_tile<false>(0);
// CHECK-NEXT:  where_tile_init();
// CHECK-NEXT:  where_tile<DataFormat::Float16_b>(0, 1, 0, 2);
// CHECK-NEXT:  unary_ne_tile_init();
// CHECK-NEXT:  unary_ne_tile(1, 0x3f800000u);
// CHECK-NEXT:  mask_tile_init();
// CHECK-NEXT:  mask_tile(0, 1);
// CHECK-NEXT:  unary_ne_tile_init();
// CHECK-NEXT:  unary_ne_tile(1, 0x3f800000u);
// CHECK-NEXT:  unary_ne_tile_init();
// CHECK-NEXT:  unary_ne_tile(1, 0x3f800000u);
// CHECK-NEXT:  mask_tile_init();
// CHECK-NEXT:  mask_posinf_tile(0, 1);
// CHECK-NEXT:  tile_regs_commit();
// CHECK-NEXT:  tile_regs_wait();
// CHECK-NEXT:  pack_tile<true>(2, y_dfb, 0);
// CHECK-NEXT:  tile_regs_release();
// CHECK-NEXT:}
