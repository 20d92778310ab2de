// RUN: ttl-opt %s --ttl-assign-dst | FileCheck %s

// The worked examples of DST register allocation, with eight registers.

#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, bf16>>, !cb>

ttl.program @examples() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a = ttl.create_cb "a" : !cb
  %b = ttl.create_cb "b" : !cb
  %c = ttl.create_cb "c" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.thread @compute on compute (%a, %b, %c, %y) : !cb, !cb, !cb, !cb
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %b: !cb, %c: !cb, %y: !cb) {
  %in0_blk = ttl.cb_wait %a : !block
  %in1_blk = ttl.cb_wait %b : !block
  %in2_blk = ttl.cb_wait %c : !block
  %y0 = ttl.cb_reserve %y : !block
  %y1 = ttl.cb_reserve %y : !block
  // Examples 1 and 2: one binary operation.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 1 : i32}
    // CHECK-NEXT: ttl.tile_mul %{{.+}}, %{{.+}} {dst_idx = 2 : i32}
    %0 = ttl.tile_mul %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    ttl.yield %0 : !ttcore.tile<32x32, f32>
  }
  // Example 3: a unary operation in place, in the output's register.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.tile_abs %{{.+}} {dst_idx = 0 : i32}
    %0 = ttl.tile_abs %in0 : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    ttl.yield %0 : !ttcore.tile<32x32, f32>
  }
  // Example 4: a unary operation after a binary one, in its register.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[M:.+]] = ttl.tile_mul %{{.+}}, %{{.+}} {dst_idx = 2 : i32}
    %0 = ttl.tile_mul %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_abs %[[M]] {dst_idx = 2 : i32}
    %1 = ttl.tile_abs %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttl.yield %1 : !ttcore.tile<32x32, f32>
  }
  // Example 5: two unary users of one value. All but the last work on a copy.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk : !block, !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#map, #map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>, %o1: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[M:.+]] = ttl.tile_mul %{{.+}}, %{{.+}} {dst_idx = 2 : i32}
    // CHECK-NEXT: %[[C:.+]] = ttl.copy_dest_values %[[M]] {dst_idx = 3 : i32}
    %0 = ttl.tile_mul %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_abs %[[C]] {dst_idx = 3 : i32}
    %1 = ttl.tile_abs %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_exp %[[M]] {dst_idx = 2 : i32}
    %2 = ttl.tile_exp %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttl.yield %1, %2 : !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>
  }
  // Example 6: a unary user and a later binary user.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk, %in2_blk : !block, !block, !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %in2: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>, %o1: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: %[[B:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[I:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 2 : i32}
    // CHECK-NEXT: %[[M:.+]] = ttl.tile_mul %[[A]], %[[B]] {dst_idx = 3 : i32}
    // CHECK-NEXT: %[[C:.+]] = ttl.copy_dest_values %[[M]] {dst_idx = 4 : i32}
    %0 = ttl.tile_mul %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_abs %[[C]] {dst_idx = 4 : i32}
    %1 = ttl.tile_abs %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_add %[[M]], %[[I]] {dst_idx = 5 : i32}
    %2 = ttl.tile_add %0, %in2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    ttl.yield %1, %2 : !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>
  }
  // Example 7: a chain of unary operations in one register.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.tile_abs %{{.+}} {dst_idx = 0 : i32}
    %0 = ttl.tile_abs %in0 : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32}
    %1 = ttl.tile_exp %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_relu %{{.+}} {dst_idx = 0 : i32}
    %2 = ttl.tile_relu %1 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttl.yield %2 : !ttcore.tile<32x32, f32>
  }
  // Example 8: three inputs.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk, %in2_blk : !block, !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %in2: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: %[[B:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[I:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 2 : i32}
    // CHECK-NEXT: %[[M:.+]] = ttl.tile_mul %[[A]], %[[B]] {dst_idx = 3 : i32}
    %0 = ttl.tile_mul %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: %[[N:.+]] = ttl.tile_abs %[[M]] {dst_idx = 3 : i32}
    %1 = ttl.tile_abs %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_add %[[N]], %[[I]] {dst_idx = 4 : i32}
    %2 = ttl.tile_add %1, %in2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    ttl.yield %2 : !ttcore.tile<32x32, f32>
  }
  // Example 6 with the unary user last needs no copy.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk, %in1_blk, %in2_blk : !block, !block, !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %in1: !ttcore.tile<32x32, bf16>, %in2: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>, %o1: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: %[[B:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 1 : i32}
    // CHECK-NEXT: %[[I:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 2 : i32}
    // CHECK-NEXT: %[[M:.+]] = ttl.tile_mul %[[A]], %[[B]] {dst_idx = 3 : i32}
    %0 = ttl.tile_mul %in0, %in1 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_add %[[M]], %[[I]] {dst_idx = 4 : i32}
    %2 = ttl.tile_add %0, %in2 : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    // CHECK-NEXT: ttl.tile_abs %[[M]] {dst_idx = 3 : i32}
    %1 = ttl.tile_abs %0 : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttl.yield %1, %2 : !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>
  }
  // The same operand twice, a value that is yielded twice, and an argument that is yielded.
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  ttl.compute ins(%in0_blk : !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>, %o1: !ttcore.tile<32x32, bf16>):
    // CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: ttl.tile_mul %[[A]], %[[A]] {dst_idx = 1 : i32}
    %0 = ttl.tile_mul %in0, %in0 : (!ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, f32>
    ttl.yield %0, %0 : !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>
  }
  // CHECK: ttl.compute
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: %[[A:.+]] = ttl.copy_tile %arg{{[0-9]+}} {dst_idx = 0 : i32}
  // CHECK-NEXT: ttl.yield %[[A]]
  ttl.compute ins(%in0_blk : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel]} {
  ^bb0(%in0: !ttcore.tile<32x32, bf16>, %o0: !ttcore.tile<32x32, bf16>):
    ttl.yield %in0 : !ttcore.tile<32x32, bf16>
  }
  return
}
