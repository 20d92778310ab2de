// RUN: ttl-opt %s --transform-interpreter | FileCheck %s

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Copies are sorted by tensor, and in a tensor by position if the distance is known: the second
// column of row %x is before the fourth one; the position of %y is not known, so it is last.
// CHECK-LABEL: ttl.kernel @mixed
ttl.kernel @mixed(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<2x2>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %x, %y = ttl.core : index, index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %b0 = ttl.cb_reserve %cb : !block
    %b1 = ttl.cb_reserve %cb : !block
    %b2 = ttl.cb_reserve %cb : !block
    %b3 = ttl.cb_reserve %cb : !block
    // CHECK: %[[B:.+]] = ttl.index_accessor
    // CHECK: %[[A3:.+]] = ttl.index_accessor
    // CHECK: %[[AY:.+]] = ttl.index_accessor
    // CHECK: %[[A1:.+]] = ttl.index_accessor
    // CHECK-NEXT: ttl.copy %[[A1]]
    // CHECK-NEXT: ttl.copy %[[A3]]
    // CHECK-NEXT: ttl.copy %[[AY]]
    // CHECK-NEXT: ttl.copy %[[B]]
    // CHECK-NEXT: ttl.wait
    %s0 = ttl.index_accessor %b_acc[%x, %c0] : !acc -> !slice
    %x0 = ttl.copy %s0, %b0 : !slice, !block
    %i3 = arith.addi %x, %c3 : index
    %s1 = ttl.index_accessor %a_acc[%x, %i3] : !acc -> !slice
    %x1 = ttl.copy %s1, %b1 : !slice, !block
    %s2 = ttl.index_accessor %a_acc[%x, %y] : !acc -> !slice
    %x2 = ttl.copy %s2, %b2 : !slice, !block
    %i1 = arith.addi %x, %c1 : index
    %s3 = ttl.index_accessor %a_acc[%x, %i1] : !acc -> !slice
    %x3 = ttl.copy %s3, %b3 : !slice, !block
    ttl.wait %x0
    ttl.wait %x1
    ttl.wait %x2
    ttl.wait %x3
    ttl.cb_push %b0 : !block
    ttl.cb_push %b1 : !block
    ttl.cb_push %b2 : !block
    ttl.cb_push %b3 : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.reorder_for_locality %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
