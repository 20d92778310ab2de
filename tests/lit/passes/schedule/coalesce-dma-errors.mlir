// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a0 = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %a1 = ttl.index_accessor %a_acc[%c0, %c1] : !acc -> !slice
    %b0 = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %x = ttl.cb_reserve %a_cb : !block
    %y = ttl.cb_wait %b_cb : !block
    // expected-note @+1 {{the transform op was applied to this op}}
    %0 = ttl.copy %a0, %x : !slice, !block
    ttl.wait %0
    %1 = ttl.copy %a1, %x : !slice, !block
    ttl.wait %1
    ttl.cb_push %x : !block
    ttl.cb_pop %y : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{no two of the transfers are waited for together (schedule_pipeline may bring their waits together)}}
    %0 = transform.ttl.coalesce_dma %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a0 = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %a1 = ttl.index_accessor %a_acc[%c0, %c1] : !acc -> !slice
    %b0 = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %x = ttl.cb_reserve %a_cb : !block
    %y = ttl.cb_wait %b_cb : !block
    %0 = ttl.copy %a0, %x : !slice, !block
    // expected-note @+1 {{the transform op was applied to this op}}
    %1 = ttl.copy %y, %b0 : !block, !slice
    ttl.wait %0
    ttl.wait %1
    ttl.cb_push %x : !block
    ttl.cb_pop %y : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the transfers to merge must all be reads or all be writes}}
    %0 = transform.ttl.coalesce_dma %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a0 = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %a1 = ttl.index_accessor %a_acc[%c0, %c1] : !acc -> !slice
    %b0 = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %x = ttl.cb_reserve %a_cb : !block
    %y = ttl.cb_wait %b_cb : !block
    // expected-note @+1 {{the transform op was applied to this op}}
    %0 = ttl.copy %a0, %x : !slice, !block
    ttl.dma_barrier
    ttl.cb_push %x : !block
    ttl.cb_pop %y : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{each transfer to merge must have one wait, in the block of code that starts it}}
    %0 = transform.ttl.coalesce_dma %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a0 = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %a1 = ttl.index_accessor %a_acc[%c0, %c1] : !acc -> !slice
    %b0 = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %x = ttl.cb_reserve %a_cb : !block
    %y = ttl.cb_wait %b_cb : !block
    %0 = ttl.copy %a0, %x : !slice, !block
    ttl.wait %0
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      // expected-note @+1 {{the transform op was applied to this op}}
      %1 = ttl.copy %y, %b0 : !block, !slice
      ttl.wait %1
    }
    ttl.cb_push %x : !block
    ttl.cb_pop %y : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the transfers to merge must be in one block of code}}
    %0 = transform.ttl.coalesce_dma %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a0 = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %a1 = ttl.index_accessor %a_acc[%c0, %c1] : !acc -> !slice
    %b0 = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %x = ttl.cb_reserve %a_cb : !block
    %y = ttl.cb_wait %b_cb : !block
    ttl.cb_push %x : !block
    ttl.cb_pop %y : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the transfers to merge must be between tensors and blocks}}
    %0 = transform.ttl.coalesce_dma %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
