// RUN: ttl-opt %s --ttl-insert-releases --ttl-verify-protocol --ttl-name-held-blocks | FileCheck %s

// The thread counts the blocks that it holds. The passes of this stage neither release nor name them.

!tensor = tensor<128x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// CHECK-LABEL: ttl.kernel @counted
ttl.kernel @counted(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b = ttl.cb_reserve %a_cb : !block
    %xf = ttl.copy %part, %b : !slice, !block
    ttl.wait %xf
    ttl.cb_push %b : !block
  }
  // CHECK: ttl.datamovement_thread "writer"
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NEXT: ttl.cb_wait %{{.+}} {outstanding = 1 : i32}
  // CHECK-NEXT: }
  // CHECK-NOT: ttl.cb_pop
  // CHECK: ttl.copy %{{.+}}
  // CHECK-NEXT: ttl.wait
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: %[[OLDEST:.+]] = ttl.held_block %{{.+}}[0] : !
  // CHECK-NEXT: ttl.cb_pop %[[OLDEST]]
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = ttl.core {dims = 1 : i64} : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    scf.for %i = %c0 to %n step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        %b = ttl.cb_wait %a_cb {outstanding = 1 : i32} : !block
      }
      %oldest = ttl.held_block %a_cb[0] : !block
      %b = ttl.block_at %oldest[%i] : !block
      %xf = ttl.copy %b, %part : !block, !slice
      ttl.wait %xf
      scf.if %first {
        %old = ttl.held_block %a_cb[0] : !block
        ttl.cb_pop %old : !block
      }
    }
  }
}
