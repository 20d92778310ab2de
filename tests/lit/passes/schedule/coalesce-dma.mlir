// Consecutive waits become one barrier.
// RUN: ttl-opt %s --transform-interpreter | FileCheck %s

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @k
ttl.kernel @k(%a: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %b0 = ttl.cb_reserve %cb : !block
    %b1 = ttl.cb_reserve %cb : !block
    %b2 = ttl.cb_reserve %cb : !block
    // CHECK: %[[X0:.+]] = ttl.copy
    // CHECK-NEXT: %[[X1:.+]] = ttl.copy
    // CHECK-NEXT: %[[X2:.+]] = ttl.copy
    // CHECK-NEXT: ttl.dma_barrier reads {merged}
    // CHECK: ttl.cb_push
    // CHECK-NEXT: ttl.cb_push
    // CHECK-NEXT: ttl.wait %[[X2]]
    // CHECK-NEXT: ttl.cb_push
    %x0 = ttl.copy %part, %b0 : !slice, !block
    %x1 = ttl.copy %part, %b1 : !slice, !block
    %x2 = ttl.copy %part, %b2 : !slice, !block
    ttl.wait %x0
    %c1 = arith.constant 1 : index
    ttl.wait %x1
    ttl.cb_push %b0 : !block
    ttl.cb_push %b1 : !block
    ttl.wait %x2
    ttl.cb_push %b2 : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %copies = transform.structured.match ops{["ttl.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    %barrier = transform.ttl.coalesce_dma %copies : (!transform.any_op) -> !transform.any_op
    transform.annotate %barrier "merged" : !transform.any_op
    transform.yield
  }
}
