// RUN: ttl-opt %s --ttl-insert-copy-waits 2>/dev/null | FileCheck %s

// A copy with waits on some paths only, or on none, is completed where it is started.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @waits
ttl.kernel @waits(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    // A copy without a wait.
    // CHECK: [[NEVER:%.+]] = ttl.copy
    // CHECK-NEXT: ttl.wait [[NEVER]]
    %never = ttl.copy %s, %a : !slice, !block
    // A copy with a wait on one path: it is completed at once, and the wait is erased.
    // CHECK: [[SOME:%.+]] = ttl.copy
    // CHECK-NEXT: ttl.wait [[SOME]]
    // CHECK-NEXT: scf.if
    // CHECK-NOT: ttl.wait
    // CHECK: ttl.cb_push
    %some = ttl.copy %s, %a : !slice, !block
    scf.if %true {
      ttl.wait %some
    }
    ttl.cb_push %a : !block
    %b = ttl.cb_reserve %a_dfb : !block
    // A copy with waits on all paths is not changed.
    // CHECK: [[ALL:%.+]] = ttl.copy
    // CHECK-NEXT: scf.if
    // CHECK-NEXT: ttl.wait [[ALL]]
    // CHECK-NEXT: } else {
    // CHECK-NEXT: ttl.wait [[ALL]]
    // CHECK-NEXT: }
    // CHECK-NEXT: ttl.cb_push
    %all = ttl.copy %s, %b : !slice, !block
    scf.if %true {
      ttl.wait %all
    } else {
      ttl.wait %all
    }
    ttl.cb_push %b : !block
  }
}
