// Every unary operation, copies inside DST, and a tile that is a constant.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#store = loc("chain.py":20:13)

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>

func.func @chain__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %half = arith.constant 5.000000e-01 : f32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("x_dfb"("chain.py":8:13))
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb loc("y_dfb"("chain.py":9:13))
  ttkernel.init_sfpu(%x, %y) : (!cb, !cb) -> () loc("chain.py":17:5)
  ttkernel.cb_wait_front(%x, %i1) : (!cb, i32) -> () loc("chain.py":19:18)
  ttkernel.cb_reserve_back(%y, %i1) : (!cb, i32) -> () loc("chain.py":19:40)
  ttkernel.tile_regs_acquire() : () -> () loc(#store)
  ttkernel.copy_tile_init(%x) : (!cb) -> () loc(#store)
  ttkernel.copy_tile(%x, %i0, %i0) : (!cb, i32, i32) -> () loc(#store)
  ttkernel.copy_dest_values_init() : () -> () loc(#store)
  ttkernel.copy_dest_values(%i1, %i0) : (i32, i32) -> () loc(#store)
  ttkernel.abs_tile_init() : () -> () loc(#store)
  ttkernel.abs_tile(%i1) : (i32) -> () loc(#store)
  ttkernel.exp_tile_init() : () -> () loc(#store)
  ttkernel.exp_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.log_tile_init() : () -> () loc(#store)
  ttkernel.log_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.negative_tile_init() : () -> () loc(#store)
  ttkernel.negative_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.recip_tile_init() : () -> () loc(#store)
  ttkernel.recip_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.relu_tile_init() : () -> () loc(#store)
  ttkernel.relu_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.rsqrt_tile_init() : () -> () loc(#store)
  ttkernel.rsqrt_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.sigmoid_tile_init() : () -> () loc(#store)
  ttkernel.sigmoid_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.sqrt_tile_init() : () -> () loc(#store)
  ttkernel.sqrt_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.square_tile_init() : () -> () loc(#store)
  ttkernel.square_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.tanh_tile_init() : () -> () loc(#store)
  ttkernel.tanh_tile(%i0) : (i32) -> () loc(#store)
  ttkernel.fill_tile_init() : () -> () loc(#store)
  ttkernel.fill_tile(%i2, %half) : (i32, f32) -> () loc(#store)
  ttkernel.binary_max_tile_init() : () -> () loc(#store)
  ttkernel.binary_max_tile(%i0, %i2, %i0) : (i32, i32, i32) -> () loc(#store)
  ttkernel.tile_regs_commit() : () -> () loc(#store)
  ttkernel.tile_regs_wait() : () -> () loc(#store)
  ttkernel.pack_reconfig_data_format(%y) : (!cb) -> () loc(#store)
  ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> () loc(#store)
  ttkernel.tile_regs_release() : () -> () loc(#store)
  ttkernel.cb_push_back(%y, %i1) : (!cb, i32) -> () loc("chain.py":19:40)
  ttkernel.cb_pop_front(%x, %i1) : (!cb, i32) -> () loc("chain.py":19:18)
  func.return
} loc("chain.py":17:5)

//      CHECK://--- chain_compute.cpp
// CHECK-NEXT:// Thread 'compute' of kernel 'chain', chain.py:17.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/compute/binary_max_min.h"
// CHECK-NEXT:#include "api/compute/cb_api.h"
// CHECK-NEXT:#include "api/compute/common.h"
// CHECK-NEXT:#include "api/compute/compute_kernel_api.h"
// CHECK-NEXT:#include "api/compute/copy_dest_values.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/eltwise_unary.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/exp.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/fill.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/negative.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/recip.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/relu.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/rsqrt.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/sqrt.h"
// CHECK-NEXT:#include "api/compute/pack.h"
// CHECK-NEXT:#include "api/compute/reconfig_data_format.h"
// CHECK-NEXT:#include "api/compute/reg_api.h"
// CHECK-NEXT:#include "api/compute/tile_move_copy.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t x_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT:  constexpr uint32_t y_dfb = get_compile_time_arg_val(1);
// CHECK-EMPTY:
// CHECK-NEXT:  // chain.py:17
// CHECK-NEXT:  init_sfpu(x_dfb, y_dfb);
// CHECK-NEXT:  // chain.py:19
// CHECK-NEXT:  cb_wait_front(x_dfb, 1);
// CHECK-NEXT:  cb_reserve_back(y_dfb, 1);
// CHECK-NEXT:  // chain.py:20
// CHECK-NEXT:  tile_regs_acquire();
// CHECK-NEXT:  copy_tile_init(x_dfb);
// CHECK-NEXT:  copy_tile(x_dfb, 0, 0);
// CHECK-NEXT:  copy_dest_values_init();
// CHECK-NEXT:  copy_dest_values<DataFormat::Float16_b>(0, 1);
// CHECK-NEXT:  abs_tile_init();
// CHECK-NEXT:  abs_tile(1);
// CHECK-NEXT:  exp_tile_init();
// CHECK-NEXT:  exp_tile(0);
// CHECK-NEXT:  log_tile_init();
// CHECK-NEXT:  log_tile(0);
// CHECK-NEXT:  negative_tile_init();
// CHECK-NEXT:  negative_tile(0);
// CHECK-NEXT:  recip_tile_init();
// CHECK-NEXT:  recip_tile(0);
// CHECK-NEXT:  relu_tile_init();
// CHECK-NEXT:  relu_tile(0);
// CHECK-NEXT:  rsqrt_tile_init();
// CHECK-NEXT:  rsqrt_tile(0);
// CHECK-NEXT:  sigmoid_tile_init();
// CHECK-NEXT:  sigmoid_tile(0);
// CHECK-NEXT:  sqrt_tile_init();
// CHECK-NEXT:  sqrt_tile(0);
// CHECK-NEXT:  square_tile_init();
// CHECK-NEXT:  square_tile(0);
// CHECK-NEXT:  tanh_tile_init();
// CHECK-NEXT:  tanh_tile(0);
// CHECK-NEXT:  fill_tile_init();
// CHECK-NEXT:  fill_tile(2, 0.5f);
// CHECK-NEXT:  binary_max_tile_init();
// CHECK-NEXT:  binary_max_tile(0, 2, 0);
// CHECK-NEXT:  tile_regs_commit();
// CHECK-NEXT:  tile_regs_wait();
// CHECK-NEXT:  pack_reconfig_data_format(y_dfb);
// CHECK-NEXT:  pack_tile<true>(0, y_dfb, 0);
// CHECK-NEXT:  tile_regs_release();
// CHECK-NEXT:  cb_push_back(y_dfb, 1);
// CHECK-NEXT:  cb_pop_front(x_dfb, 1);
// CHECK-NEXT:}
