// Reductions of integer blocks: the vector unit reduces in DST, and a mask clears the other elements.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | FileCheck %s --check-prefix=NEW
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | python3 %S/Inputs/check-cpp.py --metalium=new

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, si32>>
!cbu = !ttkernel.cb<2, !ttcore.tile<32x32, u32>>
!cb16 = !ttkernel.cb<2, !ttcore.tile<32x32, u16>>
!dfb = !ttl.cb<[1, 2], !ttcore.tile<32x32, si32>, 2>
!dfbu = !ttl.cb<[1, 1], !ttcore.tile<32x32, u32>, 2>
!dfb16 = !ttl.cb<[1, 1], !ttcore.tile<32x32, u16>, 2>

ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  %x = ttl.create_cb "x_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64, address = 111360 : i64} : !dfb
  %s = ttl.create_cb "s_dfb" {buffer_index = 1 : i32, page_size = 4096 : i64, address = 150000 : i64} : !dfb
  %y = ttl.create_cb "y_dfb" {buffer_index = 2 : i32, page_size = 4096 : i64, address = 190000 : i64} : !dfb
  %u = ttl.create_cb "u_dfb" {buffer_index = 3 : i32, page_size = 4096 : i64, address = 230000 : i64} : !dfbu
  %h = ttl.create_cb "h_dfb" {buffer_index = 4 : i32, page_size = 2048 : i64, address = 270000 : i64} : !dfb16
  ttl.thread @compute on compute (%x, %s, %y, %u, %h) : !dfb, !dfb, !dfb, !dfbu, !dfb16
}

// CHECK-DAG: #include "api/compute/cumsum.h"
// CHECK-DAG: #include "api/compute/compute_kernel_api.h"
// CHECK-DAG: #include "api/compute/transpose_wh_dest.h"
// NEW-DAG: #include "api/compute/transpose_dest.h"
func.func @compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %s = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  %u = ttkernel.get_compile_time_arg_val(3) : () -> !cbu
  %h = ttkernel.get_compile_time_arg_val(4) : () -> !cb16
  ttkernel.init_sfpu(%x, %y) : (!cb, !cb) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.fill_tile_init() : () -> ()
  %one = arith.constant 0x00000001 : f32
  ttkernel.fill_tile(%i0, %one) {integer} : (i32, f32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %s, %i0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()

  // Two tiles of int32 are added, and their sum is reduced.
  // CHECK: copy_tile_init(x_dfb);
  // CHECK-NOT: {{ reduce_}}
  // CHECK: tile_regs_acquire();
  // CHECK: copy_tile(x_dfb, 0, 0);
  // CHECK: copy_tile(x_dfb, 1, 1);
  // CHECK-NEXT: add_int_tile_init();
  // CHECK-NEXT: add_int_tile<DataFormat::Int32>(0, 1, 0);
  // CHECK-NEXT: sfpu_reduce_init<PoolType::SUM, DataFormat::Int32>();
  // CHECK-NEXT: sfpu_reduce<PoolType::SUM, DataFormat::Int32, ReduceDim::REDUCE_COL>(0);
  // CHECK-NEXT: fill_tile_init();
  // CHECK-NEXT: fill_tile(1, 1.0f);
  // CHECK-NEXT: cumsum_tile_init();
  // CHECK-NEXT: cumsum_tile(1);
  // CHECK-NEXT: unary_eq_tile_init();
  // CHECK-NEXT: unary_eq_tile(1, 0x3f800000u);
  // CHECK-NEXT: typecast_tile_init<static_cast<uint32_t>(DataFormat::Float32), static_cast<uint32_t>(DataFormat::Int32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::Float32), static_cast<uint32_t>(DataFormat::Int32)>(1);
  // CHECK-NEXT: mul_int_tile_init<DataFormat::Int32>();
  // CHECK-NEXT: mul_int_tile<DataFormat::Int32>(0, 1, 0);
  // CHECK: tile_regs_commit();
  ttkernel.reduce_init(%x, %s, %y) {reduce_type = #ttkernel.reduce_type<reduce_sum>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_col>} : (!cb, !cb, !cb) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.reduce_tile(%x, %s, %i0, %i0, %i0) {reduce_type = #ttkernel.reduce_type<reduce_sum>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_col>} : (!cb, !cb, i32, i32, i32) -> ()
  ttkernel.reduce_tile(%x, %s, %i1, %i0, %i0) {reduce_type = #ttkernel.reduce_type<reduce_sum>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_col>} : (!cb, !cb, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  // CHECK-NOT: reduce_uninit
  ttkernel.reduce_uninit() : () -> ()

  // A maximum of uint32 over both dimensions. With the sign bit inverted, int32 has the same order.
  // CHECK: copy_tile(u_dfb, 0, 2);
  // CHECK-NEXT: fill_tile_init();
  // CHECK-NEXT: fill_tile_int<DataFormat::Int32>([[SIGN:[0-9]]], 0x80000000u);
  // CHECK-NEXT: binary_bitwise_tile_init();
  // CHECK-NEXT: bitwise_xor_binary_tile(2, [[SIGN]], 2);
  // CHECK-NEXT: sfpu_reduce_init<PoolType::MAX, DataFormat::Int32>();
  // CHECK-NEXT: sfpu_reduce<PoolType::MAX, DataFormat::Int32, ReduceDim::REDUCE_COL>(2);
  // CHECK-NEXT: sfpu_reduce_init<PoolType::MAX, DataFormat::Int32>();
  // CHECK-NEXT: sfpu_reduce<PoolType::MAX, DataFormat::Int32, ReduceDim::REDUCE_ROW>(2);
  // CHECK-NEXT: fill_tile_init();
  // CHECK-NEXT: fill_tile_int<DataFormat::Int32>([[SIGN:[0-9]]], 0x80000000u);
  // CHECK-NEXT: binary_bitwise_tile_init();
  // CHECK-NEXT: bitwise_xor_binary_tile(2, [[SIGN]], 2);
  // CHECK: mul_int_tile<DataFormat::Int32>(2, 0, 2);
  // CHECK-NEXT: transpose_wh_dest_init_short<true>();
  // CHECK-NEXT: transpose_wh_dest<true>(0);
  // CHECK-NEXT: copy_tile_init(u_dfb);
  // CHECK-NEXT: mul_int_tile_init<DataFormat::Int32>();
  // CHECK-NEXT: mul_int_tile<DataFormat::Int32>(2, 0, 2);
  // NEW: transpose_dest_init<true>();
  // NEW-NEXT: transpose_dest<true>(0);
  // NEW-NEXT: copy_init(u_dfb);
  ttkernel.reconfig_data_format(%u, %s) : (!cbu, !cb) -> ()
  ttkernel.pack_reconfig_data_format(%u) : (!cbu) -> ()
  ttkernel.reduce_init(%u, %s, %u) {reduce_type = #ttkernel.reduce_type<reduce_max>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_scalar>} : (!cbu, !cb, !cbu) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.reduce_tile(%u, %s, %i0, %i0, %i2) {reduce_type = #ttkernel.reduce_type<reduce_max>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_scalar>} : (!cbu, !cb, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i2, %u, %i0) : (i32, !cbu, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.reduce_uninit() : () -> ()

  // A loop starts with a value that no tile changes. The unpacker leaves uint16 in the lower half.
  // CHECK: fill_tile_int<DataFormat::Int32>(0, 0x80000000u);
  // CHECK: for (
  // CHECK: copy_tile(h_dfb, {{.*}}, 1);
  // CHECK-NEXT: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(1);
  // CHECK-NEXT: binary_max_int32_tile_init();
  // CHECK-NEXT: binary_max_int32_tile(0, 1, 0);
  // CHECK-NEXT: }
  // CHECK-NEXT: sfpu_reduce_init<PoolType::MAX, DataFormat::Int32>();
  // CHECK-NEXT: sfpu_reduce<PoolType::MAX, DataFormat::Int32, ReduceDim::REDUCE_ROW>(0);
  %from = arith.constant 0 : index
  %to = arith.constant 2 : index
  %step = arith.constant 1 : index
  ttkernel.reconfig_data_format(%h, %s) : (!cb16, !cb) -> ()
  ttkernel.pack_reconfig_data_format(%y) : (!cb) -> ()
  ttkernel.reduce_init(%h, %s, %y) {reduce_type = #ttkernel.reduce_type<reduce_max>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>} : (!cb16, !cb, !cb) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %i = %from to %to step %step {
    %tile = arith.index_cast %i : index to i32
    ttkernel.reduce_tile(%h, %s, %tile, %i0, %i0) {reduce_type = #ttkernel.reduce_type<reduce_max>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>} : (!cb16, !cb, i32, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.reduce_uninit() : () -> ()
  func.return
}
