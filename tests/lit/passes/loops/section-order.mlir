// RUN: ttl-opt %s --ttl-assign-dst --ttl-lower-to-loops --ttl-unroll-compute-loops \
// RUN:   --ttl-insert-tile-regs-sync --ttl-lower-compute --split-input-file | FileCheck %s

// A section runs op after op, each on all its tiles, so that each op needs one init.

// Every tile has its own register.
// CHECK-LABEL: func.func @in_place
// CHECK: ttkernel.init_sfpu
// CHECK: ttkernel.tile_regs_acquire
// CHECK-NEXT: ttkernel.abs_tile_init()
// CHECK-COUNT-8: ttkernel.copy_tile(
// CHECK-NEXT: ttkernel.abs_tile(%c0_i32)
// CHECK-COUNT-7: ttkernel.abs_tile(
// CHECK-NEXT: ttkernel.exp_tile_init()
// CHECK-COUNT-8: ttkernel.exp_tile(
// CHECK-NEXT: ttkernel.relu_tile_init()
// CHECK-COUNT-8: ttkernel.relu_tile(
// CHECK-NEXT: ttkernel.tile_regs_commit

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 8], !t, 2>
!block = !ttl.block<tensor<1x8x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @in_place on compute (%a0, %y0) : !cb, !cb
}
func.func @in_place(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    %2 = ttl.tile_relu %1 : (!t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Sums and products get new registers, because those of all tiles are alive at the same time. c is
// loaded right before it is read.
// CHECK-LABEL: func.func @binary
// CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
// CHECK-DAG: %[[C:.+]] = ttkernel.get_compile_time_arg_val(2)
// CHECK: ttkernel.tile_regs_acquire
// CHECK-NEXT: ttkernel.add_binary_tile_init()
// CHECK-NEXT: ttkernel.copy_tile(%[[A]], %c0_i32, %c0_i32)
// CHECK: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c2_i32)
// CHECK-NEXT: ttkernel.copy_tile(%[[A]], %c1_i32, %c0_i32)
// CHECK: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c3_i32)
// CHECK: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c4_i32)
// CHECK: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c5_i32)
// CHECK-NEXT: ttkernel.mul_binary_tile_init()
// CHECK-NEXT: ttkernel.copy_tile(%[[C]], %c0_i32, %c0_i32)
// CHECK-NEXT: ttkernel.mul_binary_tile(%c2_i32, %c0_i32, %c1_i32)
// CHECK-NEXT: ttkernel.copy_tile(%[[C]], %c1_i32, %c0_i32)
// CHECK-NEXT: ttkernel.mul_binary_tile(%c3_i32, %c0_i32, %c2_i32)
// CHECK-COUNT-2: ttkernel.mul_binary_tile(
// CHECK-NEXT: ttkernel.exp_tile_init()
// CHECK-NEXT: ttkernel.exp_tile(%c1_i32)
// CHECK-COUNT-3: ttkernel.exp_tile(
// CHECK-NEXT: ttkernel.tile_regs_commit
// CHECK: ttkernel.pack_tile(%c1_i32, %{{.+}}, %c0_i32)
// CHECK: ttkernel.pack_tile(%c4_i32, %{{.+}}, %c3_i32)

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %a2 = ttl.create_cb "a2" {buffer_index = 2 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 3 : i32} : !cb
  ttl.thread @binary on compute (%a0, %a1, %a2, %y0) : !cb, !cb, !cb, !cb
}
func.func @binary(%a0_cb: !cb, %a1_cb: !cb, %a2_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %a2 = ttl.cb_wait %a2_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1, %a2 : !block, !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %t2: !t, %o0: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    %1 = ttl.tile_mul %0, %t2 : (!t, !t) -> !t
    %2 = ttl.tile_exp %1 : (!t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A mask must be next to its data, so these tiles keep the allocator's registers and order.
// CHECK-LABEL: func.func @pairs
// CHECK: ttkernel.exp_tile(
// CHECK: ttkernel.mask_tile(
// CHECK: ttkernel.exp_tile(
// CHECK: ttkernel.mask_tile(

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 2], !t, 2>
!block = !ttl.block<tensor<1x2x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @pairs on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @pairs(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.tile_exp %t0 : (!t) -> !t
    %1 = ttl.tile_mask %0, %t1 : (!t, !t) -> !t
    %2 = ttl.tile_add %1, %t0 : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
