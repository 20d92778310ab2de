// Blocks of integers: Metalium's functions for int32 and uint32, fills and typecasts.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py
// RUN: ttl-translate --ttkernel-to-cpp --metalium=old %s | FileCheck %s --check-prefix=OLD

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, si32>>
!dfb = !ttl.cb<[1, 1], !ttcore.tile<32x32, si32>, 2>

ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  %x = ttl.create_cb "x_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64, address = 111360 : i64} : !dfb
  %y = ttl.create_cb "y_dfb" {buffer_index = 1 : i32, page_size = 4096 : i64, address = 119552 : i64} : !dfb
  ttl.thread @compute on compute (%x, %y) : !dfb, !dfb
}

// CHECK-DAG: #include "api/compute/add_int_sfpu.h"
// CHECK-DAG: #include "api/compute/binary_comp.h"
// CHECK-DAG: #include "api/compute/binary_max_min.h"
// CHECK-DAG: #include "api/compute/binary_remainder.h"
// CHECK-DAG: #include "api/compute/div_int32_floor.h"
// CHECK-DAG: #include "api/compute/eltwise_unary/fill.h"
// CHECK-DAG: #include "api/compute/eltwise_unary/typecast.h"
// CHECK-DAG: #include "api/compute/eltwise_unary/where.h"
// CHECK-DAG: #include "api/compute/mul_int_sfpu.h"
// CHECK-DAG: #include "api/compute/sub_int_sfpu.h"
func.func @compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  ttkernel.init_sfpu(%x, %y) : (!cb, !cb) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.copy_tile_init(%x) : (!cb) -> ()
  ttkernel.copy_tile(%x, %i0, %i0) : (!cb, i32, i32) -> ()
  ttkernel.fill_tile_init() : () -> ()
  // The bits of the number 7, and a number that is known at run time only.
  %seven = arith.constant 0x00000007 : f32
  // CHECK: fill_tile_int<DataFormat::Int32>(1, 7);
  ttkernel.fill_tile(%i1, %seven) {integer} : (i32, f32) -> ()
  // CHECK: int32_t [[NUMBER:[a-z0-9]+]] = get_arg_val<uint32_t>(0);
  %number = ttkernel.get_arg_val(%i0) : (i32) -> i32
  %bits = arith.bitcast %number : i32 to f32
  // CHECK: fill_tile_int<DataFormat::Int32>(1, [[NUMBER]]);
  ttkernel.fill_tile(%i1, %bits) {integer} : (i32, f32) -> ()
  // CHECK: add_int_tile_init();
  // CHECK: add_int_tile<DataFormat::Int32>(0, 1, 2);
  ttkernel.add_int_tile_init() : () -> ()
  ttkernel.add_int_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: add_int_tile<DataFormat::UInt32>(0, 1, 2);
  ttkernel.add_int_tile(%i0, %i1, %i2) {ttkernel.unsigned} : (i32, i32, i32) -> ()
  // CHECK: sub_int_tile_init();
  // CHECK: sub_int_tile<DataFormat::Int32>(0, 1, 2);
  ttkernel.sub_int_tile_init() : () -> ()
  ttkernel.sub_int_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: mul_int_tile_init<DataFormat::Int32>();
  // CHECK: mul_int_tile<DataFormat::Int32>(0, 1, 2);
  ttkernel.mul_int_tile_init() : () -> ()
  ttkernel.mul_int_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: div_int32_trunc_tile_init();
  // CHECK: div_int32_trunc_tile(0, 1, 2);
  ttkernel.div_int32_trunc_tile_init() : () -> ()
  ttkernel.div_int32_trunc_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: div_int32_floor_tile_init();
  // CHECK: div_int32_floor_tile(0, 1, 2);
  ttkernel.div_int32_floor_tile_init() : () -> ()
  ttkernel.div_int32_floor_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: remainder_int32_tile_init();
  // CHECK: remainder_int32_tile(0, 1, 2);
  ttkernel.remainder_int32_tile_init() : () -> ()
  ttkernel.remainder_int32_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: binary_max_int32_tile_init();
  // CHECK: binary_max_int32_tile(0, 1, 2);
  ttkernel.binary_max_int32_tile_init() : () -> ()
  ttkernel.binary_max_int32_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: binary_min_uint32_tile_init();
  // CHECK: binary_min_uint32_tile(0, 1, 2);
  ttkernel.binary_min_uint32_tile_init() : () -> ()
  ttkernel.binary_min_uint32_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: le_int32_tile_init();
  // CHECK: le_int32_tile(0, 1, 2);
  ttkernel.le_int32_tile_init() : () -> ()
  ttkernel.le_int32_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: where_tile_init();
  // CHECK: where_tile<DataFormat::Int32>(2, 0, 1, 3);
  ttkernel.where_int_tile_init() : () -> ()
  ttkernel.where_int_tile(%i2, %i0, %i1, %i3) : (i32, i32, i32, i32) -> ()
  // CHECK-NOT: typecast_tile_init();
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::Int32), static_cast<uint32_t>(DataFormat::Float32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::Int32), static_cast<uint32_t>(DataFormat::Float32)>(3);
  // CHECK-NOT: typecast_tile_init();
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::Float32), static_cast<uint32_t>(DataFormat::UInt32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::Float32), static_cast<uint32_t>(DataFormat::UInt32)>(3);
  ttkernel.typecast_tile_init() : () -> ()
  ttkernel.typecast_int32_to_float_tile(%i3) : (i32) -> ()
  ttkernel.typecast_float_to_uint32_tile(%i3) : (i32) -> ()
  // uint16 and uint8: the bits that the unpacker leaves, the value, and the bits that the packer needs.
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(0);
  // CHECK-NOT: typecast_tile_init
  // CHECK: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(1);
  ttkernel.typecast_to_uint16_tile(%i0) {ttkernel.unpacked} : (i32) -> ()
  ttkernel.typecast_to_uint16_tile(%i1) {ttkernel.unpacked} : (i32) -> ()
  // There is no mask: bitwise_and_tile is not exact for negative numbers.
  // CHECK-NOT: bitwise_and_tile
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(0);
  // CHECK-NOT: typecast_tile_init
  // CHECK: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(1);
  ttkernel.typecast_to_uint16_tile(%i0) : (i32) -> ()
  ttkernel.typecast_to_uint16_tile(%i1) : (i32) -> ()
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt8)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt8)>(0);
  // CHECK-NOT: typecast_tile_init
  // CHECK: typecast_tile<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt8)>(1);
  // For older releases, a number that is not negative is masked.
  // OLD: bitwise_and_tile_init();
  // OLD-NEXT: bitwise_and_tile(0, 255);
  // OLD: typecast_tile_init();
  // OLD-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(1);
  // OLD-NEXT: bitwise_and_tile_init();
  // OLD-NEXT: bitwise_and_tile(1, 255);
  ttkernel.typecast_to_uint8_tile(%i0) : (i32) -> ()
  ttkernel.typecast_to_uint8_tile(%i1) : (i32) -> ()
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(2);
  // CHECK-NEXT: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt16)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt16)>(2);
  ttkernel.typecast_to_uint16_tile(%i2) {ttkernel.packed} : (i32) -> ()
  // CHECK: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt8)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt32), static_cast<uint32_t>(DataFormat::UInt8)>(2);
  ttkernel.typecast_to_uint8_tile(%i2) {ttkernel.packed} : (i32) -> ()
  // CHECK: binary_bitwise_tile_init();
  // CHECK-NEXT: bitwise_xor_binary_tile(0, 1, 2);
  // CHECK-NEXT: unary_min_uint32_tile_init();
  // CHECK-NEXT: unary_min_uint32_tile(2, 1);
  // CHECK-NEXT: bitwise_xor_tile_init();
  // CHECK-NEXT: bitwise_xor_tile(2, 1);
  ttkernel.eq_int_tile_init() : () -> ()
  ttkernel.eq_int_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: bitwise_xor_binary_tile(0, 1, 2);
  // CHECK-NEXT: unary_min_uint32_tile_init();
  // CHECK-NEXT: unary_min_uint32_tile(2, 1);
  // CHECK-NOT: bitwise_xor_tile
  ttkernel.ne_int_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // a < b is computed as max(a, b) != a; if the result is in a's register, as min(a, b) != b.
  // CHECK: binary_max_uint32_tile(0, 1, 2);
  // CHECK: bitwise_xor_binary_tile(2, 0, 2);
  ttkernel.lt_uint32_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: binary_min_uint32_tile(0, 1, 0);
  // CHECK: bitwise_xor_binary_tile(0, 1, 0);
  ttkernel.lt_uint32_tile(%i0, %i1, %i0) : (i32, i32, i32) -> ()
  // a <= b is computed as min(a, b) == a; if the result is in a's register, as max(a, b) == b.
  // CHECK: binary_min_uint32_tile(0, 1, 2);
  // CHECK: bitwise_xor_binary_tile(2, 0, 2);
  // CHECK: bitwise_xor_tile(2, 1);
  ttkernel.le_uint32_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()
  // CHECK: binary_max_uint32_tile(0, 1, 0);
  // CHECK: bitwise_xor_binary_tile(0, 1, 0);
  ttkernel.le_uint32_tile(%i0, %i1, %i0) : (i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i3, %y, %i0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  func.return
}
