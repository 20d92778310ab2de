// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
      // expected-note @+1 {{the transform op was applied to this op}}
      %t = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %t : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: this op keeps reads of later iterations from going ahead}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    %s = scf.for %i = %c0 to %c10 step %c1 iter_args(%k = %c0) -> index {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
      scf.yield %i : index
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: the loop carries values from one iteration to the next}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      // expected-note @+1 {{the transform op was applied to this op}}
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %blk = ttl.cb_wait %b_cb : !block
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: the kernel also writes this tensor, so an earlier read could give other data}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch over a distance of 11: the loop has only 10 iterations}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 11 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %c100 = arith.constant 100 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    scf.for %i = %c0 to %c100 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch over a distance of 17: 17 transfers would be in flight; wormhole_b0 has only 15 transfer ids for them}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 17 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[10, 10], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<10x10x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[10, 10], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error-re @+1 {{cannot prefetch over a distance of 2: the kernel's buffers would take 2048000 bytes of L1 with 'a' 3 blocks; wormhole_b0 has {{[0-9]+}}}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    scf.for %i = %c0 to %c10 step %c1 {
      %j = arith.addi %i, %c1 : index
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: the loop reads nothing}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @+1 {{'transform.ttl.insert_prefetch' op 'distance' must be at least 2; found 1}}
    %groups, %rest = transform.ttl.insert_prefetch %root {distance = 1 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @+1 {{'transform.ttl.insert_prefetch' op 'form' must be one of groups, pipeline; found 'spiral'}}
    %loop, %rest = transform.ttl.insert_prefetch %root {form = "spiral"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A buffer may have at most 32 blocks.

!tensor = tensor<32x640xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 30>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    scf.for %i = %c0 to %c20 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch over a distance of 5: 'a' would need 35 blocks, but a buffer can have at most 32}}
    %loop, %rest = transform.ttl.insert_prefetch %l {distance = 5 : i64, form = "pipeline"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
