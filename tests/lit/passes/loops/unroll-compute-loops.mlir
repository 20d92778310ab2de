// RUN: ttl-opt %s --ttl-assign-dst --ttl-lower-to-loops --ttl-unroll-compute-loops --ttl-insert-tile-regs-sync \
// RUN:   --split-input-file | FileCheck %s
// RUN: ttl-opt %s --ttl-assign-dst --ttl-lower-to-loops --ttl-unroll-compute-loops=pack-blocks=true \
// RUN:   --ttl-insert-tile-regs-sync --ttl-lower-compute --split-input-file | FileCheck %s --check-prefix=BLOCKS

// Five tiles, two in a section: a loop over two sections, and one tile after the loop.
// CHECK-LABEL: ttl.program @remainder
// CHECK: scf.for %[[I:.+]] = %c0 to %c4 step %c2 {
// CHECK: %[[J:.+]] = arith.addi %[[I]], %c1
// CHECK: ttkernel.tile_regs_acquire
// CHECK: ttl.get_tile %[[A:.+]][%[[I]]] {dst_idx = 0 : i32}
// CHECK: %[[S0:.+]] = ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 2 : i32}
// CHECK-NEXT: ttl.get_tile %[[A]][%[[J]]] {dst_idx = 0 : i32}
// CHECK: %[[S1:.+]] = ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 3 : i32}
// CHECK-NEXT: ttkernel.tile_regs_commit
// CHECK-NEXT: ttkernel.tile_regs_wait
// CHECK-NEXT: ttl.pack_tile %[[S0]], %[[Y:.+]][%[[I]]]
// CHECK-NEXT: ttl.pack_tile %[[S1]], %[[Y]][%[[J]]]
// CHECK-NEXT: ttkernel.tile_regs_release
// CHECK-NEXT: }
// CHECK-NEXT: ttkernel.tile_regs_acquire
// CHECK-NEXT: ttl.get_tile %[[A]][%c4] {dst_idx = 0 : i32}
// CHECK: ttl.pack_tile %{{.+}}, %[[Y]][%c4]
// CHECK-NEXT: ttkernel.tile_regs_release
// BLOCKS-LABEL: ttl.program @remainder
// BLOCKS: ttkernel.pack_tile_block(%c2_i32, %{{.+}}, %c2_i32)
// BLOCKS: ttkernel.pack_tile(%c2_i32,

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 5], !t, 2>
!block = !ttl.block<tensor<1x5x!t>, !cb>
ttl.program @remainder() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Six tiles, of which four fit into a section: two sections of three, so that one loop does all.
// CHECK-LABEL: ttl.program @even
// CHECK: scf.for %{{.+}} = %c0 to %c6 step %c3 {
// CHECK-COUNT-3: ttl.pack_tile
// CHECK-NEXT: ttkernel.tile_regs_release
// CHECK-NEXT: }
// CHECK-NOT: ttkernel.tile_regs_acquire
// CHECK: ttl.cb_push
// BLOCKS-LABEL: ttl.program @even

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 6], !t, 2>
!block = !ttl.block<tensor<1x6x!t>, !cb>
ttl.program @even() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Each tile has a register for each output.
// CHECK-LABEL: ttl.program @two_outputs
// CHECK-NOT: scf.for
// CHECK: ttl.get_tile %{{.+}}[%c0] {dst_idx = 0 : i32}
// CHECK: ttl.get_tile %{{.+}}[%c1] {dst_idx = 2 : i32}
// CHECK: ttl.get_tile %{{.+}}[%c2] {dst_idx = 4 : i32}
// CHECK: ttl.tile_exp %{{.+}} {dst_idx = 1 : i32}
// CHECK: ttl.tile_exp %{{.+}} {dst_idx = 3 : i32}
// CHECK: ttl.tile_exp %{{.+}} {dst_idx = 5 : i32}
// CHECK-NEXT: ttkernel.tile_regs_commit
// Consecutive registers belong to different outputs.
// BLOCKS-LABEL: ttl.program @two_outputs
// BLOCKS-NOT: pack_tile_block

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 3], !t, 2>
!block = !ttl.block<tensor<1x3x!t>, !cb>
ttl.program @two_outputs() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  %y1 = ttl.create_cb "y1" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0, %y1) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb, %y1_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  %y1 = ttl.cb_reserve %y1_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    ttl.yield %0, %1 : !t, !t
  }
  ttl.cb_push %y0 : !block
  ttl.cb_push %y1 : !block
  return
}

// -----

// The program gives registers, which are used: each tile's outputs are at the next registers.
// CHECK-LABEL: ttl.program @given
// CHECK: ttl.get_tile %{{.+}}[%c0] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.get_tile %{{.+}}[%c0] {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 2 : i32}
// CHECK-NEXT: ttl.get_tile %{{.+}}[%c1] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.get_tile %{{.+}}[%c1] {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 3 : i32}
// CHECK-NEXT: ttkernel.tile_regs_commit
// BLOCKS-LABEL: ttl.program @given

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 2], !t, 2>
!block = !ttl.block<tensor<1x2x!t>, !cb>
ttl.program @given() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = 2 : i32} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 1 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 0 : i32} : (!t) -> !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
