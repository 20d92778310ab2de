// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

// float32 tiles are copied to DST without SrcA. A buffer that matrix operations also read gets two ids.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!kcb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>

ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64, address = 103424 : i64} : !cb
  %b = ttl.create_cb "b_dfb" {buffer_index = 1 : i32, page_size = 4096 : i64, address = 111616 : i64} : !cb
  %y = ttl.create_cb "y_dfb" {buffer_index = 2 : i32, page_size = 4096 : i64, address = 119808 : i64} : !cb
  ttl.thread @k__compute on compute (%a, %b, %y) : !cb, !cb, !cb
}

// CHECK: //   compute config: fp32_dest_acc_en, math_fidelity HiFi4, unpack_to_dest_mode UnpackToDestFp32 for buffers 1 3
// CHECK: constexpr uint32_t a_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT: constexpr uint32_t a_dfb_fp32 = get_compile_time_arg_val(3);
// CHECK: cb_wait_front(a_dfb, 1);
// CHECK-NEXT: cb_wait_front(a_dfb_fp32, 1);
// CHECK: matmul_tiles(a_dfb, a_dfb, 0, 0, 0);
// CHECK: reconfig_data_format_srca(a_dfb_fp32);
// CHECK: copy_tile_init(a_dfb_fp32);
// CHECK: copy_tile(a_dfb_fp32, 0, 1);
// CHECK: copy_tile(b_dfb, 0, 2);
// CHECK: reconfig_data_format(a_dfb, a_dfb);
// CHECK: mm_init_short(a_dfb, a_dfb);
// CHECK: cb_pop_front(a_dfb, 1);
// CHECK-NEXT: cb_pop_front(a_dfb_fp32, 1);
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !kcb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !kcb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !kcb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  ttkernel.mm_init(%a, %a, %y) : (!kcb, !kcb, !kcb) -> ()
  ttkernel.cb_wait_front(%a, %1) : (!kcb, i32) -> ()
  ttkernel.cb_wait_front(%b, %1) : (!kcb, i32) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.matmul_tiles(%a, %a, %0, %0, %0) : (!kcb, !kcb, i32, i32, i32) -> ()
  ttkernel.reconfig_data_format_srca(%a) : (!kcb) -> ()
  ttkernel.copy_tile_init(%a) : (!kcb) -> ()
  ttkernel.copy_tile(%a, %0, %1) : (!kcb, i32, i32) -> ()
  ttkernel.copy_tile(%b, %0, %2) : (!kcb, i32, i32) -> ()
  ttkernel.reconfig_data_format(%a, %a) : (!kcb, !kcb) -> ()
  ttkernel.mm_init_short(%a, %a) : (!kcb, !kcb) -> ()
  ttkernel.matmul_tiles(%a, %a, %0, %0, %0) : (!kcb, !kcb, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.cb_pop_front(%a, %1) : (!kcb, i32) -> ()
  return
}
