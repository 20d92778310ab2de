// RUN: ttl-opt %s --ttl-lower-to-loops --split-input-file | FileCheck %s

// A reduction runs over its iterators and starts with an empty register. A broadcast or
// transpose reads one tile.

#kl = affine_map<(i, j, k, l) -> (k, l)>
#one = affine_map<(i, j, k, l) -> (0, 0)>
#out = affine_map<(i, j, k, l) -> (i, j)>
#parallel = #ttcore.iterator_type<parallel>
#reduction = #ttcore.iterator_type<reduction>
!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!corner = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!corner_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !corner>
!t = !ttcore.tile<32x32, f32>

ttl.program @sum() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %s = ttl.create_cb "s" : !corner
  %y = ttl.create_cb "y" : !corner
  ttl.thread @compute on compute (%a, %s, %y) : !cb, !corner, !corner
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %s: !corner, %y: !corner) {
  // CHECK: %[[A:.+]] = ttl.cb_wait
  // CHECK: %[[S:.+]] = ttl.cb_wait
  // CHECK: %[[Y:.+]] = ttl.cb_reserve
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !corner_block
  %y_blk = ttl.cb_reserve %y : !corner_block
  // CHECK: %[[SUM:.+]] = ttl.fresh_tile {dst_idx = 1 : i32}
  // CHECK-NEXT: scf.for %[[K:.+]] = %c0 to %c2 step %c1 {
  // CHECK-NEXT: scf.for %[[L:.+]] = %c0 to %c3 step %c1 {
  // CHECK: ttl.reduce_tile sum %[[A]][%{{.+}}] scaling %[[S]][%c0] into %[[SUM]] {dims = array<i64: 0, 1>}
  // CHECK: ttl.pack_tile %[[SUM]], %[[Y]][%c0]
  ttl.compute ins(%a_blk, %s_blk : !block, !corner_block) outs(%y_blk : !corner_block)
      attributes {indexing_maps = [#kl, #one, #out],
                  iterator_types = [#parallel, #parallel, #reduction, #reduction]} {
  ^bb0(%ta: !t, %ts: !t, %ty: !t):
    %0 = ttl.tile_reduce_sum %ta scaling %ts {dims = array<i64: 0, 1>, dst_idx = 1 : i32} : (!t, !t) -> !t
    ttl.yield %0 : !t
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i0 = affine_map<(i, j) -> (i, 0)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!turned = !ttl.cb<[3, 2], !ttcore.tile<32x32, f32>, 2>
!turned_block = !ttl.block<tensor<3x2x!ttcore.tile<32x32, f32>>, !turned>
!column = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!column_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !column>
!t = !ttcore.tile<32x32, f32>

ttl.program @moves() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !column
  %b = ttl.create_cb "b" : !turned
  %y = ttl.create_cb "y" : !cb
  ttl.thread @compute on compute (%a, %b, %y) : !column, !turned, !cb
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !column, %b: !turned, %y: !cb) {
  // CHECK: %[[A:.+]] = ttl.cb_wait
  // CHECK: %[[B:.+]] = ttl.cb_wait
  // CHECK: %[[Y:.+]] = ttl.cb_reserve
  %a_blk = ttl.cb_wait %a : !column_block
  %b_blk = ttl.cb_wait %b : !turned_block
  %y_blk = ttl.cb_reserve %y : !block
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2 step %c1 {
  // CHECK-NEXT: scf.for %[[J:.+]] = %c0 to %c3 step %c1 {
  // CHECK: %[[C:.+]] = ttl.bcast_tile %[[A]][%[[I]]] {dims = array<i64: 1>, dst_idx = 0 : i32}
  // CHECK: %[[T:.+]] = ttl.transpose_tile %[[B]][%{{.+}}] {dst_idx = 1 : i32}
  // CHECK-NEXT: ttl.tile_add %[[C]], %[[T]] {dst_idx = 2 : i32}
  ttl.compute ins(%a_blk, %b_blk : !column_block, !turned_block) outs(%y_blk : !block)
      attributes {indexing_maps = [#i0, #ji, #ij], iterator_types = [#parallel, #parallel]} {
  ^bb0(%ta: !t, %tb: !t, %ty: !t):
    %0 = ttl.tile_bcast %ta {dims = array<i64: 1>, dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.tile_transpose %tb {dst_idx = 1 : i32} : (!t) -> !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  return
}
