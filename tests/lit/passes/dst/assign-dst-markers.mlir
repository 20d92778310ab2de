// RUN: ttl-opt %s --ttl-assign-dst --split-input-file | FileCheck %s

// Ops with which a program itself says how DST registers are used.

// The program takes register 1 while the sum is computed. The second operand must be copied to
// the register that its op needs.
// CHECK-LABEL: ttl.program @markers
// CHECK: %[[A:.+]] = ttl.copy_tile %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: %[[B:.+]] = ttl.copy_tile %{{.+}} {dst_idx = 2 : i32}
// CHECK-NEXT: %[[S:.+]] = ttl.tile_add %[[A]], %[[B]] {dst_idx = 3 : i32}
// CHECK-NEXT: ttl.tile_exp %[[S]] {dst_idx = 3 : i32}
// CHECK-NEXT: ttl.yield

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @markers() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
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
    %r = ttl.acquire_dst {index = 1 : i64} : index
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    ttl.release_dst %r
    ttl.require_dst %t1 : !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A spilled value goes through a buffer that the compiler adds: the compute is split there. Values without
// a use are erased.
// CHECK-LABEL: ttl.program @spill
// CHECK: ttl.create_cb "tile_split2" {{.*}}compiler_made
// CHECK: func.func @compute
// CHECK-SAME: %[[T:[a-z0-9]+]]: !cb1)
// CHECK: ttl.cb_reserve %[[T]]
// CHECK-NEXT: ttl.compute
// CHECK: ttl.tile_exp
// CHECK: ttl.cb_push
// CHECK: %[[E:.+]] = ttl.cb_wait %[[T]]
// CHECK: ttl.compute {{.*}}%[[E]]
// CHECK: ttl.tile_add
// CHECK: ttl.cb_pop %[[E]]
// CHECK-NOT: spill

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 2], !t, 2>
!block = !ttl.block<tensor<1x2x!t>, !cb>
ttl.program @spill() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
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
    %0 = ttl.tile_exp %t0 : (!t) -> !t
    %s = ttl.spill_tile_to_l1 %0 : !t -> index
    %1 = ttl.tile_abs %t0 : (!t) -> !t
    %unused = ttl.restore_tile_from_l1 %s : index -> !t
    %2 = ttl.restore_tile_from_l1 %s : index -> !t
    %3 = ttl.tile_add %1, %2 : (!t, !t) -> !t
    ttl.yield %3 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Registers that the program gives stay. Other ops about registers are erased. Numbers are
// computed before the compute.
// CHECK-LABEL: func.func @given__compute
// CHECK: arith.constant 2.000000e+00
// CHECK-NEXT: ttl.compute
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %{{.+}} {dst_idx = 1 : i32}
// CHECK-NEXT: %[[B:.+]] = ttl.tile_fill %{{.+}} {dst_idx = 2 : i32}
// CHECK-NEXT: %[[C:.+]] = ttl.tile_add %[[A]], %[[B]] {dst_idx = 5 : i32}
// CHECK-NEXT: ttl.yield %[[C]]

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @given() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @given__compute on compute (%a0, %y0) : !cb, !cb
}
func.func @given__compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %r = ttl.acquire_dst {index = 3 : i64} : index
    %0 = ttl.copy_tile %t0 {dst_idx = 1 : i32} : (!t) -> !t
    ttl.require_dst %0 : !t
    %two = arith.constant 2.0 : f32
    %1 = ttl.tile_fill %two {dst_idx = 2 : i32} : !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 5 : i32} : (!t, !t) -> !t
    ttl.release_dst %r
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
