// RUN: ttl-opt %s --ttl-assign-dst --split-input-file | FileCheck %s

// Computes with more values than the four registers of a 32-bit DST.

#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, bf16>>, !cb>

ttl.program @lazy() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a = ttl.create_cb "a" : !cb
  %b = ttl.create_cb "b" : !cb
  %c = ttl.create_cb "c" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.thread @compute on compute (%a, %b, %c, %y) : !cb, !cb, !cb, !cb
}

// Order: loads right before their use, the deeper operand first, registers are free at once.
// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %b: !cb, %c: !cb, %y: !cb) {
  %in0_blk = ttl.cb_wait %a : !block
  %in1_blk = ttl.cb_wait %b : !block
  %in2_blk = ttl.cb_wait %c : !block
  %y0 = ttl.cb_reserve %y : !block
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk, %in2_blk : !block, !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %in2: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %arg4 {dst_idx = 0 : i32}
    // CHECK-NEXT: %[[B:.+]] = ttl.copy_tile %arg5 {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[S:.+]] = ttl.tile_add %[[A]], %[[B]] {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[C:.+]] = ttl.copy_tile %arg6 {dst_idx = 2 : i32}
    // CHECK-NEXT: %[[T:.+]] = ttl.tile_mul %[[S]], %[[C]] {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[X:.+]] = ttl.tile_exp %[[A]] {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.tile_sub %[[X]], %[[T]] {dst_idx = 0 : i32}
    %0 = ttl.tile_exp %in0 : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    %1 = ttl.tile_add %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    %2 = ttl.tile_mul %1, %in2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    %3 = ttl.tile_sub %0, %2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttl.yield %3 : !ttcore.tile<32x32, f32>
  }
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, bf16>>, !cb>

// Five values are all needed at the end. Two of them, from which the others are made,
// go through one Float32 buffer, in a block each.
// CHECK: !cb1 = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>
// CHECK-LABEL: ttl.program @split
// CHECK: ttl.create_cb "tile_split2" {compiler_made} : !cb1
// CHECK: ttl.thread @compute on compute (%{{.+}}, %{{.+}}, %{{.+}}) : !cb, !cb, !cb1
ttl.program @split() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32, address = 103424 : i64} : !cb
  %y = ttl.create_cb "y" {buffer_index = 1 : i32, address = 119808 : i64} : !cb
  ttl.thread @compute on compute (%a, %y) : !cb, !cb
}
// CHECK-LABEL: func.func @compute
// CHECK-SAME: %[[A:[a-z0-9]+]]: !cb, %[[Y:[a-z0-9]+]]: !cb, %[[T:[a-z0-9]+]]: !cb1)
func.func @compute(%a: !cb, %y: !cb) {
  %in0_blk = ttl.cb_wait %a : !block
  %y0 = ttl.cb_reserve %y : !block
  // CHECK: %[[R0:.+]] = ttl.cb_reserve %[[T]] : !block1
  // CHECK-NEXT: %[[R1:.+]] = ttl.cb_reserve %[[T]] {outstanding = 2 : i32}
  // CHECK-NEXT: %[[C4:.+]] = arith.constant 4 : index
  // CHECK-NEXT: %[[AT1:.+]] = ttl.block_at %[[R1]][%[[C4]]]
  // CHECK-NEXT: ttl.compute ins(%{{.+}} : !block) outs(%[[R0]], %[[AT1]] : !block1, !block1)
  // CHECK: ttl.tile_exp
  // CHECK: ttl.tile_abs
  // CHECK: ttl.cb_push %[[R0]]
  // CHECK-NEXT: ttl.cb_push %[[R1]]
  // CHECK-NEXT: %[[W0:.+]] = ttl.cb_wait %[[T]] : !block1
  // CHECK-NEXT: %[[W1:.+]] = ttl.cb_wait %[[T]] {outstanding = 2 : i32}
  // CHECK: %[[AT:.+]] = ttl.block_at %[[W1]]
  // CHECK-NEXT: ttl.compute ins(%[[W0]], %[[AT]] : !block1, !block1) outs(%{{.+}} : !block)
  // CHECK: ttl.tile_sqrt
  // CHECK-NOT: dst_idx = 4
  ttl.compute ins(%in0_blk : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    %0 = ttl.tile_exp %in0 : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    %1 = ttl.tile_abs %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %2 = ttl.tile_sqrt %1 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %3 = ttl.tile_relu %2 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %4 = ttl.tile_neg %3 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %5 = ttl.tile_add %0, %1 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %6 = ttl.tile_mul %5, %2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %7 = ttl.tile_sub %6, %3 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %8 = ttl.tile_add %7, %4 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %9 = ttl.tile_mul %8, %3 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %10 = ttl.tile_mul %9, %2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %11 = ttl.tile_mul %10, %1 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %12 = ttl.tile_mul %11, %0 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttl.yield %12 : !ttcore.tile<32x32, f32>
  }
  // CHECK: ttl.cb_pop %[[W0]]
  // CHECK-NEXT: ttl.cb_pop %[[W1]]
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>

// An operand in L1 need not stay in DST between its two uses: five operands
// and their sum take two registers, and no buffer.
// CHECK-LABEL: ttl.program @holes
// CHECK-NOT: compiler_made
ttl.program @holes() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a = ttl.create_cb "a" : !cb
  %b = ttl.create_cb "b" : !cb
  %c = ttl.create_cb "c" : !cb
  %d = ttl.create_cb "d" : !cb
  %e = ttl.create_cb "e" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.thread @holes__compute on compute (%a, %b, %c, %d, %e, %y) : !cb, !cb, !cb, !cb, !cb, !cb
}
// CHECK-LABEL: func.func @holes__compute
// CHECK: ^bb0(%[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}}, %[[D:[a-z0-9]+]]: {{.*}}, %[[E:[a-z0-9]+]]: {{.*}}, %{{.+}}: {{.*}}):
// CHECK-NEXT: ttl.copy_tile %[[A]] {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.copy_tile %[[B]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add
// CHECK-NEXT: ttl.copy_tile %[[C]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_mul
// CHECK-NEXT: ttl.copy_tile %[[D]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add
// CHECK-NEXT: ttl.copy_tile %[[E]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_mul
// CHECK-NEXT: ttl.copy_tile %[[A]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add
// CHECK-NEXT: ttl.copy_tile %[[B]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_mul
// CHECK-NEXT: ttl.copy_tile %[[C]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add
// CHECK-NEXT: ttl.copy_tile %[[D]] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_mul
func.func @holes__compute(%a: !cb, %b: !cb, %c: !cb, %d: !cb, %e: !cb, %y: !cb) {
  %a_blk = ttl.cb_wait %a : !block
  %b_blk = ttl.cb_wait %b : !block
  %c_blk = ttl.cb_wait %c : !block
  %d_blk = ttl.cb_wait %d : !block
  %e_blk = ttl.cb_wait %e : !block
  %y_blk = ttl.cb_reserve %y : !block
  ttl.compute ins(%a_blk, %b_blk, %c_blk, %d_blk, %e_blk : !block, !block, !block, !block, !block) outs(%y_blk : !block)
      attributes {indexing_maps = [#map, #map, #map, #map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !t, %in1: !t, %in2: !t, %in3: !t, %in4: !t, %o0: !t):
    %0 = ttl.tile_add %in0, %in1 : (!t, !t) -> !t
    %1 = ttl.tile_mul %0, %in2 : (!t, !t) -> !t
    %2 = ttl.tile_add %1, %in3 : (!t, !t) -> !t
    %3 = ttl.tile_mul %2, %in4 : (!t, !t) -> !t
    %4 = ttl.tile_add %3, %in0 : (!t, !t) -> !t
    %5 = ttl.tile_mul %4, %in1 : (!t, !t) -> !t
    %6 = ttl.tile_add %5, %in2 : (!t, !t) -> !t
    %7 = ttl.tile_mul %6, %in3 : (!t, !t) -> !t
    ttl.yield %7 : !t
  }
  ttl.cb_push %y_blk : !block
  return
}
