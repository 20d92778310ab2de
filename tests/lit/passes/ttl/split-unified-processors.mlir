// RUN: ttl-opt %s --ttl-split-unified-threads | FileCheck %s
// RUN: ttl-opt %s --ttl-split-unified-threads --ttl-threads-to-microcores | FileCheck %s --check-prefix=ROLES
// The program binds the thread that fills blocks to a processor, so the other thread gets the other one.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @both
// CHECK: ttl.datamovement_thread "reader" attributes {microcore_hint = "NOC1", ttl.from_unified}
// CHECK: ttl.compute_thread "compute" attributes {ttl.from_unified}
// CHECK: ttl.datamovement_thread "writer" attributes {microcore_hint = "NOC0", ttl.from_unified}
// ROLES-LABEL: ttl.kernel @both
// ROLES: ttl.microcore_thread @noc1 "reader"
// ROLES: ttl.microcore_thread @noc0 "writer"
ttl.kernel @both(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "k" attributes {ttl.reader_hint = "NOC1"} {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %filled = ttl.cb_reserve %a_dfb : !block
    %read = ttl.copy %s, %filled : !slice, !block
    ttl.wait %read
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %a : !block, !block
    %done = ttl.cb_wait %y_dfb : !block
    %write = ttl.copy %done, %s : !block, !slice
    ttl.wait %write
  }
}

// CHECK-LABEL: ttl.kernel @writer_only
// CHECK: ttl.datamovement_thread "writer" attributes {microcore_hint = "NOC1", ttl.from_unified}
ttl.kernel @writer_only(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "k" attributes {ttl.reader_hint = "NOC0"} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y = ttl.cb_reserve %y_dfb : !block
    %e = ttl.block_fill %one : !e
    ttl.block_store %y, %e : !block, !e
    %done = ttl.cb_wait %y_dfb : !block
    %write = ttl.copy %done, %s : !block, !slice
    ttl.wait %write
  }
}
