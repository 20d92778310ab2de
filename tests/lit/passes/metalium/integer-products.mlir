// Matrix products of integer blocks: for each k, the vector unit multiplies a column by a row.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | python3 %S/Inputs/check-cpp.py --metalium=new

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, si32>>
!cb8 = !ttkernel.cb<2, !ttcore.tile<32x32, u8>>
!dfb = !ttl.cb<[1, 1], !ttcore.tile<32x32, si32>, 2>
!dfb8 = !ttl.cb<[1, 1], !ttcore.tile<32x32, u8>, 2>

ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  %x = ttl.create_cb "x_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64, address = 111360 : i64} : !dfb
  %b = ttl.create_cb "b_dfb" {buffer_index = 1 : i32, page_size = 1024 : i64, address = 150000 : i64} : !dfb8
  ttl.thread @compute on compute (%x, %b) : !dfb, !dfb8
}

func.func @compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb8
  // CHECK: compute_kernel_hw_startup(b_dfb, x_dfb, x_dfb);
  ttkernel.mm_init(%x, %b, %x) : (!cb, !cb8, !cb) -> ()
  ttkernel.mm_init_short(%x, %b) : (!cb, !cb8) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  // CHECK: fill_tile_int<DataFormat::Int32>(0, 0);
  // CHECK-NEXT: for ([[TYPE:.*]] [[K:[a-z0-9_]+]] = 1; [[K]] < 33; ++[[K]]) {
  // The lower half of each element of the left tile's column, which is a row of the transpose.
  // CHECK: reconfig_data_format_srca(x_dfb);
  // CHECK-NEXT: transpose_wh_init_short(x_dfb);
  // CHECK-NEXT: transpose_wh_tile(x_dfb, 0, 3);
  // CHECK-NEXT: typecast_tile_init<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::UInt16), static_cast<uint32_t>(DataFormat::UInt32)>(3);
  // CHECK-NEXT: typecast_tile_init<static_cast<uint32_t>(DataFormat::Int32), static_cast<uint32_t>(DataFormat::Float32)>();
  // CHECK-NEXT: typecast_tile<static_cast<uint32_t>(DataFormat::Int32), static_cast<uint32_t>(DataFormat::Float32)>(3);
  // CHECK-NEXT: fill_tile_init();
  // CHECK-NEXT: fill_tile(1, 1.0f);
  // CHECK-NEXT: cumsum_tile_init();
  // CHECK-NEXT: cumsum_tile(1);
  // CHECK-NEXT: unary_eq_tile_init();
  // CHECK-NEXT: unary_eq_tile(1, {{.*}});
  // CHECK-NEXT: mul_binary_tile_init();
  // CHECK-NEXT: mul_binary_tile(3, 1, 3);
  // CHECK-NEXT: fill_tile_init();
  // CHECK-NEXT: fill_tile(1, 0.0f);
  // CHECK-NEXT: cumsum_tile_init();
  // CHECK-NEXT: cumsum_tile(3);
  // CHECK-NEXT: cumsum_tile(1, false);
  // The upper half of each element.
  // CHECK: transpose_wh_tile(x_dfb, 0, 3);
  // CHECK-NEXT: fill_tile_init();
  // CHECK-NEXT: fill_tile_int<DataFormat::Int32>(4, 16);
  // CHECK-NEXT: binary_shift_tile_init();
  // CHECK-NEXT: binary_logical_right_shift_tile<DataFormat::UInt32>(3, 4, 3);
  // CHECK: left_shift_tile(4, 16);
  // CHECK-NEXT: add_int_tile_init();
  // CHECK-NEXT: add_int_tile<DataFormat::Int32>(1, 4, 1);
  // CHECK-NEXT: transpose_wh_dest_init_short<true>();
  // CHECK-NEXT: transpose_wh_dest<true>(1);
  // The right tile has 8-bit elements.
  // CHECK-NEXT: reconfig_data_format_srca(b_dfb);
  // CHECK-NEXT: copy_tile_init(b_dfb);
  // CHECK-NEXT: copy_tile(b_dfb, 0, 3);
  // CHECK-NEXT: typecast_tile_init
  // CHECK-NOT: shift
  // CHECK: mul_int_tile<DataFormat::Int32>(1, 2, 1);
  // CHECK-NEXT: add_int_tile_init();
  // CHECK-NEXT: add_int_tile<DataFormat::Int32>(0, 1, 0);
  // CHECK-NEXT: }
  // CHECK: tile_regs_commit();
  ttkernel.matmul_tiles(%x, %b, %i0, %i0, %i0) : (!cb, !cb8, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %x, %i0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  func.return
}
