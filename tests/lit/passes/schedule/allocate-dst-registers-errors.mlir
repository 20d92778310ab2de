// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-note @+1 {{the transform op was applied to this op}}
    ttl.compute ins(%a_blk, %a_blk : !block, !block) outs(%y_blk : !block)
        attributes {indexing_maps = [#id, #id, #id], iterator_types = [#p, #p]} {
    ^bb0(%x: !t, %z: !t, %o: !t):
      %e = ttl.tile_exp %x : (!t) -> !t
      %s = ttl.tile_add %e, %z : (!t, !t) -> !t
      ttl.yield %s : !t
    }
    ttl.cb_pop %a_blk : !block
    ttl.cb_push %y_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the compute needs more than 2 registers in this order}}
    %0 = transform.ttl.allocate_dst_registers %k {capacity = 2 : i64, order = "arguments"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-note @+1 {{the transform op was applied to this op}}
    ttl.compute ins(%a_blk, %a_blk : !block, !block) outs(%y_blk : !block)
        attributes {indexing_maps = [#id, #id, #id], iterator_types = [#p, #p]} {
    ^bb0(%x: !t, %z: !t, %o: !t):
      %e = ttl.tile_exp %x : (!t) -> !t
      %s = ttl.tile_add %e, %z : (!t, !t) -> !t
      ttl.yield %s : !t
    }
    ttl.cb_pop %a_blk : !block
    ttl.cb_push %y_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{capacity 9 is more than the 8 registers of wormhole_b0 in this kernel's configuration}}
    %0 = transform.ttl.allocate_dst_registers %k {capacity = 9 : i64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-note @+1 {{the transform op was applied to this op}}
    ttl.compute ins(%a_blk, %a_blk : !block, !block) outs(%y_blk : !block)
        attributes {indexing_maps = [#id, #id, #id], iterator_types = [#p, #p]} {
    ^bb0(%x: !t, %z: !t, %o: !t):
      %l = ttl.copy_tile %x {dst_idx = 0 : i32} : (!t) -> !t
      ttl.yield %l : !t
    }
    ttl.cb_pop %a_blk : !block
    ttl.cb_push %y_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the compute has registers already}}
    %0 = transform.ttl.allocate_dst_registers %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{'transform.ttl.allocate_dst_registers' op 'order' must be one of auto, arguments, lazy; found 'random'}}
    %0 = transform.ttl.allocate_dst_registers %root {order = "random"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

func.func @f(%a: !block, %y: !block) {
  // expected-note @+1 {{the transform op was applied to this op}}
  ttl.compute ins(%a : !block) outs(%y : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %o: !t):
    ttl.yield %x : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the target must be in a kernel}}
    %0 = transform.ttl.allocate_dst_registers %l : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
    // expected-note @+1 {{the transform op was applied to this op}}
    ttl.compute ins(%a_blk, %a_blk : !block, !block) outs(%y_blk : !block)
        attributes {indexing_maps = [#id, #id, #id], iterator_types = [#p, #p]} {
    ^bb0(%x: !t, %z: !t, %o: !t):
      %v = ttl.tile_exp %x : (!t) -> !t
      %n = ttl.spill_tile_to_l1 %v : !t -> index
      %e = ttl.restore_tile_from_l1 %n : index -> !t
      %s = ttl.tile_add %e, %z : (!t, !t) -> !t
      ttl.yield %s : !t
    }
    ttl.cb_pop %a_blk : !block
    ttl.cb_push %y_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the compute spills tiles: leave it to ttl-assign-dst, which splits it}}
    %0 = transform.ttl.allocate_dst_registers %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
