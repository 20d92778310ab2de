// RUN: ttl-opt %s --ttl-lower-to-loops --split-input-file --verify-diagnostics | FileCheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, bf16>>, !cb>
!one = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!one_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !one>

ttl.program @elementwise() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  %one = ttl.create_cb "one" : !one
  ttl.thread @compute on compute (%a, %y, %one) : !cb, !cb, !one
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %y: !cb, %one: !one) {
  %flag = arith.constant 1 : i32
  // CHECK: %[[A:.+]] = ttl.cb_wait
  // CHECK: %[[Y:.+]] = ttl.cb_reserve
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %y : !block
  // If all operands read their tiles in the same order, one loop is enough.
  // CHECK: scf.for %[[I:.+]] = %c0 to %c6 step %c1 {
  // CHECK-NEXT: %[[T:.+]] = ttl.get_tile %[[A]][%[[I]]] {dst_idx = 0 : i32}
  // CHECK-NEXT: %[[E:.+]] = ttl.tile_exp %[[T]] {dst_idx = 0 : i32}
  // CHECK-NEXT: ttl.pack_tile %[[E]], %[[Y]][%[[I]]] accumulate %{{.+}} :
  // CHECK-NEXT: }
  ttl.compute ins(%a_blk : !block) outs(%y_blk : !block) accumulate(%flag)
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%ta: !ttcore.tile<32x32, bf16>, %ty: !ttcore.tile<32x32, bf16>):
    %t = ttl.copy_tile %ta {dst_idx = 0 : i32} : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, bf16>
    %e = ttl.tile_exp %t {dst_idx = 0 : i32} : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, bf16>
    ttl.yield %e : !ttcore.tile<32x32, bf16>
  }
  // A single tile needs no loop.
  // CHECK-NOT: scf.for
  // CHECK: ttl.get_tile %{{.+}}[%c0]
  // CHECK: ttl.pack_tile %{{.+}}, %{{.+}}[%c0]
  %b_blk = ttl.cb_wait %one : !one_block
  %z_blk = ttl.cb_reserve %one : !one_block
  ttl.compute ins(%b_blk : !one_block) outs(%z_blk : !one_block)
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%ta: !ttcore.tile<32x32, bf16>, %ty: !ttcore.tile<32x32, bf16>):
    %t = ttl.copy_tile %ta {dst_idx = 0 : i32} : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, bf16>
    ttl.yield %t : !ttcore.tile<32x32, bf16>
  }
  return
}

// -----

#mk = affine_map<(i, j, k) -> (i, k)>
#kn = affine_map<(i, j, k) -> (k, j)>
#mn = affine_map<(i, j, k) -> (i, j)>
#parallel = #ttcore.iterator_type<parallel>
#reduction = #ttcore.iterator_type<reduction>
!cba = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!cbb = !ttl.cb<[3, 4], !ttcore.tile<32x32, f32>, 2>
!cby = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!a = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cba>
!b = !ttl.block<tensor<3x4x!ttcore.tile<32x32, f32>>, !cbb>
!y = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cby>
!t = !ttcore.tile<32x32, f32>

ttl.program @matmul() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cba
  %b = ttl.create_cb "b" : !cbb
  %y = ttl.create_cb "y" : !cby
  ttl.thread @compute on compute (%a, %b, %y) : !cba, !cbb, !cby
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cba, %b: !cbb, %y: !cby) {
  // CHECK: %[[A:.+]] = ttl.cb_wait
  // CHECK: %[[B:.+]] = ttl.cb_wait
  // CHECK: %[[Y:.+]] = ttl.cb_reserve
  %a_blk = ttl.cb_wait %a : !a
  %b_blk = ttl.cb_wait %b : !b
  %y_blk = ttl.cb_reserve %y : !y
  // The loop over k is innermost and ascending; its register was not written before.
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2 step
  // CHECK: scf.for %[[J:.+]] = %c0 to %c4 step
  // CHECK: %[[P:.+]] = ttl.fresh_tile {dst_idx = 1 : i32}
  // CHECK: scf.for %[[K:.+]] = %c0 to %c3 step
  // CHECK-NEXT: %[[I3:.+]] = arith.muli %[[I]], %c3
  // CHECK-NEXT: %[[IA:.+]] = arith.addi %[[I3]], %[[K]]
  // CHECK-NEXT: %[[K4:.+]] = arith.muli %[[K]], %c4
  // CHECK-NEXT: %[[IB:.+]] = arith.addi %[[K4]], %[[J]]
  // CHECK-NEXT: ttl.matmul_tiles %[[A]][%[[IA]]], %[[B]][%[[IB]]] into %[[P]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[E:.+]] = ttl.tile_exp %[[P]]
  // CHECK: ttl.pack_tile %[[E]], %[[Y]]
  ttl.compute ins(%a_blk, %b_blk : !a, !b) outs(%y_blk : !y)
      attributes {indexing_maps = [#mk, #kn, #mn], iterator_types = [#parallel, #parallel, #reduction]} {
  ^bb0(%ta: !t, %tb: !t, %ty: !t):
    %p = ttl.tile_matmul %ta, %tb {dst_idx = 1 : i32} : (!t, !t) -> !t
    %e = ttl.tile_exp %p {dst_idx = 1 : i32} : (!t) -> !t
    ttl.yield %e : !t
  }
  // With an accumulator, the loop over k adds to the accumulator's register.
  // CHECK: %[[C:.+]] = ttl.get_tile %[[Y]]
  // CHECK: scf.for
  // CHECK: ttl.matmul_tiles {{.*}} into %[[C]]
  ttl.compute ins(%a_blk, %b_blk, %y_blk : !a, !b, !y) outs(%y_blk : !y)
      attributes {indexing_maps = [#mk, #kn, #mn, #mn], iterator_types = [#parallel, #parallel, #reduction]} {
  ^bb0(%ta: !t, %tb: !t, %tc: !t, %ty: !t):
    %c = ttl.copy_tile %tc {dst_idx = 0 : i32} : (!t) -> !t
    %p = ttl.tile_matmul %ta, %tb acc %c {dst_idx = 0 : i32} : (!t, !t, !t) -> !t
    ttl.yield %p : !t
  }
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!part_block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !part>
!t = !ttcore.tile<32x32, f32>

ttl.program @window() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %part = ttl.create_cb "part" : !part
  ttl.thread @compute on compute (%a, %part) : !cb, !part
}

// If an operand's block is larger than the window, the window's offset is added to the iterators.
// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %part: !part) {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %part : !part_block
  // CHECK: scf.for %[[J:.+]] = %c0 to %c2 step %c1 {
  // CHECK-NEXT: %[[J1:.+]] = arith.addi %c2, %[[J]]
  // CHECK-NEXT: %[[IN:.+]] = arith.addi %c4, %[[J1]]
  // CHECK-NEXT: %[[T:.+]] = ttl.get_tile %{{.+}}[%[[IN]]]
  // CHECK-NEXT: ttl.pack_tile %[[T]], %{{.+}}[%[[J]]]
  ttl.compute ins(%a_blk : !block) outs(%y_blk : !part_block) window(%i, %j) [1, 2]
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%ta: !t, %ty: !t):
    %t = ttl.copy_tile %ta {dst_idx = 0 : i32} : (!t) -> !t
    ttl.yield %t : !t
  }
  return
}
