// RUN: ttl-opt %s --ttl-lower-compute --split-input-file | FileCheck %s

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!half = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!half_block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !half>
!t = !ttcore.tile<32x32, f32>
!h = !ttcore.tile<32x32, bf16>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !half
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  %z = ttl.create_cb "z" {buffer_index = 3 : i32} : !half
  ttl.thread @compute on compute (%a, %b, %y, %z) : !cb, !half, !cb, !half
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %b: !half, %y: !cb, %z: !half) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %flag = arith.constant 1 : i32
  %value = arith.constant 3.0 : f32
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
  // CHECK-DAG: %[[B:.+]] = ttkernel.get_compile_time_arg_val(1)
  // CHECK-DAG: %[[Y:.+]] = ttkernel.get_compile_time_arg_val(2)
  // CHECK-DAG: %[[Z:.+]] = ttkernel.get_compile_time_arg_val(3)
  // There is one full configuration, for the first op.
  // CHECK: ttkernel.init_sfpu(%[[A]], %[[Y]])
  %a_blk = ttl.cb_wait %a : !block
  %b_blk = ttl.cb_wait %b : !half_block
  %y_blk = ttl.cb_reserve %y : !block
  %z_blk = ttl.cb_reserve %z : !half_block
  // The first copy needs no other setup. The second copy reads another buffer, in another format.
  // CHECK-NOT: ttkernel.copy_tile_init(%[[A]])
  // CHECK: ttkernel.copy_tile(%[[A]], %c0_i32, %c0_i32)
  // CHECK: ttkernel.reconfig_data_format_srca(%[[B]])
  // CHECK-NEXT: ttkernel.copy_tile_init(%[[B]])
  // CHECK-NEXT: ttkernel.exp_tile_init()
  // CHECK-NEXT: ttkernel.copy_tile(%[[B]], %c0_i32, %c1_i32)
  %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
  %1 = ttl.get_tile %b_blk[%c0] {dst_idx = 1 : i32} : !half_block -> !h
  // Each operation has one init until another operation comes: before the copies, if it is repeated.
  // CHECK-NEXT: ttkernel.exp_tile(%c0_i32)
  // CHECK-NEXT: ttkernel.exp_tile(%c1_i32)
  // CHECK-NEXT: ttkernel.add_binary_tile_init()
  // CHECK-NEXT: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c2_i32)
  // CHECK-NEXT: ttkernel.copy_dest_values_init()
  // CHECK-NEXT: ttkernel.copy_dest_values(%c3_i32, %c2_i32)
  // CHECK-NEXT: ttkernel.fill_tile_init()
  // CHECK-NEXT: ttkernel.fill_tile(%c1_i32, %{{.+}})
  %2 = ttl.tile_exp %0 {dst_idx = 0 : i32} : (!t) -> !t
  %3 = ttl.tile_exp %1 {dst_idx = 1 : i32} : (!h) -> !t
  %4 = ttl.tile_add %2, %3 {dst_idx = 2 : i32} : (!t, !t) -> !t
  %5 = ttl.copy_dest_values %4 {dst_idx = 3 : i32} : (!t) -> !t
  %6 = ttl.tile_fill %value {dst_idx = 1 : i32} : !t
  // The packer, too, keeps its format. Accumulation is on for one pack only.
  // CHECK-NEXT: ttkernel.pack_tile(%c2_i32, %[[Y]], %c0_i32)
  // CHECK-NEXT: ttkernel.pack_reconfig_l1_acc(%c1_i32)
  // CHECK-NEXT: ttkernel.pack_reconfig_data_format(%[[Z]])
  // CHECK-NEXT: ttkernel.pack_tile(%c3_i32, %[[Z]], %c0_i32)
  // CHECK-NEXT: ttkernel.pack_reconfig_l1_acc(%c0_i32)
  ttl.pack_tile %4, %y_blk[%c0] : !t, !block
  ttl.pack_tile %5, %z_blk[%c0] accumulate %flag : !t, !half_block
  // If a loop needs one setup only, this setup is before the loop.
  // CHECK: ttkernel.relu_tile_init
  // CHECK-NEXT: scf.for
  // CHECK-NOT: relu_tile_init
  // CHECK: ttkernel.relu_tile(
  // If a loop needs two setups, the setup at the begin of an iteration is unknown.
  // CHECK: ttkernel.reconfig_data_format_srca(%[[A]])
  // CHECK-NEXT: ttkernel.copy_tile_init(%[[A]])
  // CHECK: ttkernel.reconfig_data_format(%[[B]], %[[A]])
  // CHECK-NEXT: ttkernel.mm_init_short(%[[A]], %[[B]])
  // CHECK-NEXT: ttkernel.matmul_tiles(%[[A]], %[[B]], %{{.+}}, %{{.+}}, %c1_i32)
  // A matmul leaves the setup of the SFPU (vector unit) unknown.
  // CHECK: ttkernel.abs_tile_init
  scf.for %i = %c0 to %c2 step %c1 {
    %7 = ttl.tile_relu %6 {dst_idx = 1 : i32} : (!t) -> !t
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %7 = ttl.get_tile %a_blk[%i] {dst_idx = 0 : i32} : !block -> !t
    %8 = ttl.fresh_tile {dst_idx = 1 : i32} : !t
    ttl.matmul_tiles %a_blk[%i], %b_blk[%c0] into %8 : !block, !half_block, !t
    %9 = ttl.tile_abs %8 {dst_idx = 1 : i32} : (!t) -> !t
    ttl.pack_tile %9, %y_blk[%i] : !t, !block
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @held() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a, %y) : !cb, !cb
}

// Tiles are counted from the position of the block, which ttl.block_at gives.
// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // CHECK: ttkernel.mm_init(%[[A:[0-9]+]], %[[A]], %[[Y:[0-9]+]])
  scf.for %i = %c0 to %c3 step %c1 {
    %first = ttl.cb_wait %a : !block
    %second = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
    %y_other = ttl.cb_reserve %y : !block
    %c2 = arith.constant 2 : index
    %second_at = ttl.block_at %second[%c2] : !block
    %y_at = ttl.block_at %y_other[%c2] : !block
    // CHECK: ttkernel.matmul_tiles(%[[A]], %[[A]], %c1_i32, %c2_i32, %c0_i32)
    %0 = ttl.fresh_tile {dst_idx = 0 : i32} : !t
    ttl.matmul_tiles %first[%c1], %second_at[%c0] into %0 : !block, !block, !t
    // CHECK: ttkernel.pack_tile(%c0_i32, %[[Y]], %c3_i32)
    ttl.pack_tile %0, %y_at[%c1] : !t, !block
    ttl.cb_pop %first : !block
    // CHECK: ttkernel.copy_tile(%[[A]], %c1_i32, %c0_i32)
    %1 = ttl.get_tile %second[%c1] {dst_idx = 0 : i32} : !block -> !t
    ttl.pack_tile %1, %y_blk[%c0] : !t, !block
    ttl.cb_pop %second : !block
    ttl.cb_push %y_blk : !block
    ttl.cb_push %y_other : !block
  }
  return
}
