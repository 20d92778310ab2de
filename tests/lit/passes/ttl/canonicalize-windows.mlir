// RUN: ttl-opt %s --ttl-canonicalize | FileCheck %s

!tensor = tensor<256x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// A node's window begins at its coordinate times the window's extent. The second dimension has only one
// node, so the coordinate is 0 there. For a window of a window, both starts are added.
// CHECK-LABEL: ttl.kernel @windows
ttl.kernel @windows(%t: !tensor) attributes {grid = #ttcore.grid<4x1>} {
  %cb = ttl.create_cb "a" : !cb
  // CHECK: ttl.datamovement_thread "reader"
  ttl.datamovement_thread "reader" {
    // CHECK-DAG: %[[THREE:.+]] = arith.constant 3 : index
    // CHECK-DAG: %[[TWO:.+]] = arith.constant 2 : index
    // CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : index
    %c1 = arith.constant 1 : index
    // CHECK: %[[ACC:.+]] = ttl.tensor_accessor
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    // CHECK-NOT: ttl.grid_slice
    %w = ttl.grid_slice %acc {block_factors = array<i64: 2, 4>} : !accessor
    %v = ttl.grid_slice %w {block_factors = array<i64: 3, 4>} : !accessor
    %b = ttl.cb_reserve %cb : !block
    // CHECK: %[[CORE:.+]]:2 = ttl.core : index, index
    // CHECK: %[[START:.+]] = arith.muli %[[CORE]]#0, %[[TWO]]
    // CHECK: %[[I:.+]] = arith.addi %[[START]], %[[ONE]]
    // CHECK: ttl.index_accessor %[[ACC]][%[[I]], %[[ONE]]]
    %s = ttl.index_accessor %w[%c1, %c1] : !accessor -> !slice
    %x = ttl.copy %s, %b : !slice, !block
    // CHECK: %[[INNER:.+]] = arith.muli %[[CORE]]#0, %[[THREE]]
    // CHECK: %[[PART:.+]] = arith.addi %[[INNER]], %[[ONE]]
    // CHECK: %[[J:.+]] = arith.addi %{{.+}}, %[[PART]]
    // CHECK: ttl.index_accessor %[[ACC]][%[[J]], %[[ONE]]]
    %r = ttl.index_accessor %v[%c1, %c1] : !accessor -> !slice
    %y = ttl.copy %r, %b : !slice, !block
  }
}
