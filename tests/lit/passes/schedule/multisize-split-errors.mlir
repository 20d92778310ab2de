// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

!cb = !ttl.cb<[2, 7], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x7x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%y: !block) {
  // expected-note @+1 {{the transform op was applied to this op}}
  ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot split dimension 2: the op has 2 iterators}}
    %low, %high = transform.ttl.multisize_split %c {dimension = 2, target_size = 3}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[2, 7], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x7x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>

func.func @f(%y: !block) {
  // expected-note @+1 {{the transform op was applied to this op}}
  ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #r]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot split dimension 1: it is a reduction}}
    %low, %high = transform.ttl.multisize_split %c {dimension = 1, target_size = 3}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[2, 7], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x7x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%y: !block) {
  // expected-note @+1 {{the transform op was applied to this op}}
  ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot split dimension 1: its extent 7 is no multiple of the divisor 2}}
    %low, %high = transform.ttl.multisize_split %c {dimension = 1, target_size = 4, divisor = 2}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 1>
!part_block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !part>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%y: !block, %c: !part_block, %i: index) {
  // expected-error @+1 {{'ttl.compute' op cannot be tiled, because an operand contains only the window of this op}}
  ttl.compute ins(%c : !part_block) outs(%y : !block) window(%i, %i) [1, 2]
      attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %o: !t):
    ttl.yield %o : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot split this op: tiling it failed}}
    %low, %high = transform.ttl.multisize_split %c {dimension = 1, target_size = 1}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @+1 {{'transform.ttl.multisize_split' op 'target_size' must be at least 1; found 0}}
    %low, %high = transform.ttl.multisize_split %root {dimension = 1, target_size = 0}
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
    // expected-error @+1 {{the target must be a ttl.compute, found ttl.create_cb}}
    %low, %high = transform.ttl.multisize_split %l {dimension = 0, target_size = 3}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
