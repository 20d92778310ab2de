// RUN: ttl-opt %s --ttl-check-mesh-access | FileCheck %s

// In a mesh grid a copy asserts that its slice lies in the part of the device.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<128x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @cut
ttl.kernel @cut(%t: !tensor loc("x"), %other: !tensor) attributes {grid = #ttcore.grid<2x2x1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    // CHECK: ttl.tensor_accessor
    // CHECK-NOT: ttl.mesh_shards
    %acc = ttl.tensor_accessor %t {ttl.mesh_shards = [array<i64: 0, 0, 2>, array<i64: 1, 1, 1>]} : !tensor -> !ttl.accessor<!tensor>
    %whole = ttl.tensor_accessor %other : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %o = ttl.index_accessor %whole[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    // The first axis cuts the tile rows: a device has two of them.
    // CHECK: [[PLACE:%.+]]:4 = ttl.core {dims = 4
    // CHECK: [[EXTENT:%.+]] = arith.constant 2 : index
    // CHECK: [[STOP:%.+]] = arith.addi
    // CHECK: [[FIRST:%.+]] = arith.muli [[PLACE]]#0, [[EXTENT]]
    // CHECK: [[LAST:%.+]] = arith.addi [[FIRST]], [[EXTENT]]
    // CHECK: [[LOW:%.+]] = arith.cmpi sle, [[FIRST]]
    // CHECK: [[HIGH:%.+]] = arith.cmpi sle, [[STOP]], [[LAST]]
    // CHECK: [[HOLDS:%.+]] = arith.andi [[LOW]], [[HIGH]]
    // CHECK: ttl.assert [[HOLDS]], "Cross-device access: this node would read tile rows {}:{} of 'x' along dim 0, but its device, number {} on axis 0 of the mesh, owns {}:{} only: use the part of the device, or send the elements over a pipe"{{.*}} {ttl.mesh_access}
    // The second axis cuts the tile columns.
    // CHECK: ttl.assert {{.*}}tile columns {}:{} of 'x' along dim 1{{.*}}axis 1
    // CHECK-NEXT: [[COPY:%.+]] = ttl.copy
    %x = ttl.copy %s, %a : !slice, !block
    ttl.wait %x
    // A tensor that is not cut has no check.
    // CHECK: ttl.wait [[COPY]]
    // CHECK-NEXT: ttl.copy
    %y = ttl.copy %o, %a : !slice, !block
    ttl.wait %y
    ttl.cb_push %a : !block
  }
}
