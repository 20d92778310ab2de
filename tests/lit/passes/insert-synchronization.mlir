// RUN: ttl-opt %s --ttl-insert-synchronization --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @never_waited_for
ttl.kernel @never_waited_for(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %dfb : !block
    // Before each release that is reached.
    // CHECK: %[[XF:.+]] = ttl.copy
    // expected-warning @+1 {{this copy is never waited for; it is completed before a block of 'dfb' is released}}
    %xf = ttl.copy %s, %a : !slice, !block
    // CHECK: scf.if
    scf.if %true {
      // CHECK-NEXT: ttl.wait %[[XF]]
      // CHECK-NEXT: ttl.cb_push
      ttl.cb_push %a : !block
    } else {
      // CHECK: ttl.wait %[[XF]]
      // CHECK-NEXT: ttl.cb_push
      ttl.cb_push %a : !block
    }
    // Where the handle does not reach the release, at the end of its branch.
    %b = ttl.cb_reserve %dfb : !block
    // CHECK: scf.if
    scf.if %true {
      // CHECK-NEXT: %[[XF1:.+]] = ttl.copy
      // expected-warning @+1 {{this copy is never waited for}}
      %xf1 = ttl.copy %s, %b : !slice, !block
      // CHECK-NEXT: ttl.wait %[[XF1]]
      // CHECK-NEXT: }
    }
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %b : !block
    // What the user waits for stays as it is.
    %c = ttl.cb_reserve %dfb : !block
    // CHECK: ttl.copy
    %xf2 = ttl.copy %s, %c : !slice, !block
    // CHECK-NEXT: ttl.wait
    ttl.wait %xf2
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %c : !block
  }
}
