// Quotients of uint32 are made from Metalium's quotient of int32. They need two more registers of DST.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py
// RUN: ttl-translate --ttkernel-to-cpp --metalium=old %s | FileCheck %s --check-prefix=OLD
// RUN: ttl-translate --ttkernel-to-cpp --metalium=old %s | python3 %S/Inputs/check-cpp.py --metalium=old
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | python3 %S/Inputs/check-cpp.py --metalium=new

ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  ttl.thread @compute on compute ()
}

func.func @compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %one = arith.constant 0x00000001 : f32
  // CHECK: tile_regs_acquire();
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.fill_tile_init() : () -> ()
  ttkernel.fill_tile(%i0, %one) {integer} : (i32, f32) -> ()
  ttkernel.fill_tile(%i1, %one) {integer} : (i32, f32) -> ()
  // Half of the dividend: right_shift_tile would copy its sign bit.
  // CHECK: fill_tile_init();
  // CHECK: fill_tile_init();
  // CHECK-NEXT: fill_tile_int<DataFormat::Int32>(3, 1);
  // CHECK-NEXT: binary_shift_tile_init();
  // CHECK-NEXT: binary_logical_right_shift_tile<DataFormat::UInt32>(0, 3, 2);
  // OLD: fill_tile_int<DataFormat::Int32>(3, 1);
  // OLD-NEXT: binary_shift_tile_init();
  // OLD-NEXT: binary_logical_right_shift_uint32_tile(0, 3, 2);
  // CHECK-NEXT: div_int32_trunc_tile_init();
  // CHECK-NEXT: div_int32_trunc_tile(2, 1, 2);
  // CHECK-NEXT: unary_max_int32_tile_init();
  // CHECK-NEXT: unary_max_int32_tile(2, 0);
  // CHECK-NEXT: add_int_tile_init();
  // CHECK-NEXT: add_int_tile<DataFormat::UInt32>(2, 2, 2);
  // CHECK-NEXT: mul_int_tile_init<DataFormat::UInt32>();
  // CHECK-NEXT: mul_int_tile<DataFormat::UInt32>(2, 1, 3);
  // CHECK-NEXT: sub_int_tile_init();
  // CHECK-NEXT: sub_int_tile<DataFormat::UInt32>(0, 3, 3);
  // The quotient is one more if the remainder is at least the divisor.
  // CHECK-NEXT: binary_min_uint32_tile_init();
  // CHECK-NEXT: binary_min_uint32_tile(1, 3, 3);
  // CHECK: add_int_tile<DataFormat::UInt32>(2, 3, 2);
  // If the divisor is 0, all bits of the result are set.
  // CHECK: mul_int_tile<DataFormat::UInt32>(2, 3, 2);
  // CHECK: sub_int_tile<DataFormat::UInt32>(2, 3, 0);
  ttkernel.div_uint32_tile(%i0, %i1, %i0) {ttkernel.unsigned} : (i32, i32, i32) -> ()
  // CHECK: mul_int_tile<DataFormat::UInt32>(2, 1, 2);
  // CHECK-NEXT: sub_int_tile_init();
  // CHECK-NEXT: sub_int_tile<DataFormat::UInt32>(0, 2, 1);
  // CHECK: tile_regs_commit();
  ttkernel.remainder_uint32_tile(%i0, %i1, %i1) {ttkernel.unsigned} : (i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  func.return
}
