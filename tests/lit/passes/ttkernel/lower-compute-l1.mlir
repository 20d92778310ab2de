// RUN: ttl-opt %s --ttl-lower-compute | FileCheck %s

// Ops that read L1 get an init, and an uninit before another kind of op.

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!half = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!half_block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !half>
!t = !ttcore.tile<32x32, f32>
!h = !ttcore.tile<32x32, bf16>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !half
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a, %s, %y) : !half, !cb, !cb
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !half, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %n = arith.constant 3 : i32
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
  // CHECK-DAG: %[[S:.+]] = ttkernel.get_compile_time_arg_val(1)
  // CHECK-DAG: %[[Y:.+]] = ttkernel.get_compile_time_arg_val(2)
  // CHECK: ttkernel.compute_kernel_hw_startup(%[[A]], %[[S]], %[[Y]])
  %a_blk = ttl.cb_wait %a : !half_block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  // The loop contains only the reduction, so its init is before the loop. The reduction's mask stays until
  // its result is packed.
  // CHECK: ttkernel.reduce_init(%[[A]], %[[S]], %[[Y]]) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>}
  // CHECK-NEXT: scf.for
  // CHECK: ttkernel.reduce_tile(%[[A]], %[[S]], %{{.+}}, %c0_i32, %c0_i32) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>}
  // CHECK-NEXT: }
  // CHECK-NEXT: ttkernel.pack_tile(%c0_i32, %[[Y]], %c0_i32)
  // CHECK-NEXT: ttkernel.reduce_uninit()
  %0 = ttl.fresh_tile {dst_idx = 0 : i32} : !t
  scf.for %i = %c0 to %c2 step %c1 {
    ttl.reduce_tile sum %a_blk[%i] scaling %s_blk[%c0] into %0 {dims = array<i64: 1>} : !half_block, !block, !t
  }
  ttl.pack_tile %0, %y_blk[%c0] : !t, !block
  // The loop contains copies and broadcasts: each iteration has the inits of both, and ends the
  // broadcast. Both need the same format, which is set up before the loop. Rows with a common
  // init get one init.
  // CHECK-NEXT: ttkernel.reconfig_data_format_srca(%[[S]])
  // CHECK-NEXT: scf.for
  // CHECK: ttkernel.copy_tile_init(%[[S]])
  // CHECK-NEXT: ttkernel.copy_tile(%[[S]], %{{.+}}, %c0_i32)
  // CHECK-NEXT: ttkernel.unary_bcast_init(%[[S]], %[[Y]]) {bcast_type = #ttkernel.bcast_type<row>}
  // CHECK-NEXT: ttkernel.unary_bcast(%[[S]], %c0_i32, %c1_i32) {bcast_type = #ttkernel.bcast_type<row>}
  // CHECK-NEXT: ttkernel.binop_with_scalar_tile_init()
  // CHECK-NEXT: ttkernel.add_unary_tile(%c0_i32, %[[HALF:.+]]) :
  // CHECK-NEXT: ttkernel.mul_unary_tile(%c0_i32, %[[HALF]]) :
  // CHECK-NEXT: ttkernel.power_iterative_tile_init()
  // CHECK-NEXT: ttkernel.power_iterative_tile(%c0_i32, %c3_i32)
  // CHECK-NEXT: ttkernel.where_tile_init()
  // CHECK-NEXT: ttkernel.where_tile(%c0_i32, %c1_i32, %c0_i32, %c2_i32)
  // CHECK-NEXT: ttkernel.copy_dest_values_init()
  // CHECK-NEXT: ttkernel.copy_dest_values(%c3_i32, %c1_i32)
  // CHECK-NEXT: ttkernel.mask_tile_init()
  // CHECK-NEXT: ttkernel.mask_tile(%c2_i32, %c3_i32)
  // CHECK: ttkernel.pack_tile(%c2_i32, %[[Y]], %{{.+}})
  // CHECK-NEXT: ttkernel.unary_bcast_uninit(%[[S]]) {bcast_type = #ttkernel.bcast_type<row>}
  // CHECK-NEXT: }
  scf.for %i = %c0 to %c2 step %c1 {
    %1 = ttl.get_tile %s_blk[%i] {dst_idx = 0 : i32} : !block -> !t
    %2 = ttl.bcast_tile %s_blk[%c0] {dims = array<i64: 0>, dst_idx = 1 : i32} : !block -> !t
    %3 = ttl.tile_add_unary %1, %half {dst_idx = 0 : i32} : (!t, f32) -> !t
    %4 = ttl.tile_mul_unary %3, %half {dst_idx = 0 : i32} : (!t, f32) -> !t
    %5 = ttl.tile_pow_int %4, %n {dst_idx = 0 : i32} : (!t, i32) -> !t
    %6 = ttl.tile_where %5, %2, %5 {dst_idx = 2 : i32} : (!t, !t, !t) -> !t
    %m = ttl.copy_dest_values %2 {dst_idx = 3 : i32} : (!t) -> !t
    %7 = ttl.tile_mask %6, %m {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttl.pack_tile %7, %y_blk[%i] : !t, !block
  }
  // CHECK-NEXT: ttkernel.reconfig_data_format_srca(%[[A]])
  // CHECK-NEXT: ttkernel.transpose_wh_init_short(%[[A]])
  // CHECK-NEXT: ttkernel.transpose_wh_tile(%[[A]], %c1_i32, %c0_i32)
  %8 = ttl.transpose_tile %a_blk[%c1] {dst_idx = 0 : i32} : !half_block -> !t
  ttl.pack_tile %8, %y_blk[%c0] : !t, !block
  return
}
