// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// Loops whose transfers cannot start earlier, and ops that are no such loop.

!tensor = tensor<640x3200xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "thread" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %before = ttl.cb_reserve %a_cb : !block
    %start = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %first = ttl.copy %start, %before : !slice, !block
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      // expected-note @+1 {{the transform op was applied to this op}}
      ttl.wait %first
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: this wait is for a transfer of another iteration}}
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

ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "thread" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      // expected-note @+1 {{the transform op was applied to this op}}
      ttl.wait %xf
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: this transfer is waited for twice}}
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

ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "thread" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      // expected-note @+1 {{the transform op was applied to this op}}
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: this transfer is never waited for}}
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

ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "thread" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      // expected-note @+1 {{the transform op was applied to this op}}
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: only reads of tensors can start earlier}}
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

// Both reads fill the same block.
ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "thread" {
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
      %again = ttl.copy %part, %blk : !slice, !block
      ttl.wait %again
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch over a distance of 2: the reads of an iteration depend on each other}}
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

ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.compute_thread "thread" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // expected-note @+1 {{the transform op was applied to this op}}
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot prefetch: the loop is in no data movement thread}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{the transform op was applied to this op}}
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the target must be a loop in a kernel}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the transform op was applied to this op}}
  %a_cb = ttl.create_cb "a" : !ttl.cb<[1], f32, 2>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the target must be an scf.for}}
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 2 : i64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
