// The transform op assigns registers; ttl-assign-dst then does not change this compute.
// RUN: ttl-opt %s --transform-interpreter --split-input-file | FileCheck %s
// RUN: ttl-opt %s --transform-interpreter --split-input-file --ttl-expand-threads --ttl-infer-dst-requirements --ttl-assign-dst | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

// All arguments are loaded first.
// CHECK: ttl.copy_tile %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.copy_tile %{{.+}} {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.tile_add %{{.+}} {dst_idx = 2 : i32}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
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
    %0 = transform.ttl.allocate_dst_registers %k {order = "arguments"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

// Each argument is loaded where it is read.
// CHECK: ttl.copy_tile %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.copy_tile %{{.+}} {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
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
    %0 = transform.ttl.allocate_dst_registers %k {order = "lazy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!t = !ttcore.tile<32x32, bf16>

// Numbers are computed before the compute, because they need no registers.
// CHECK: ttl.{{kernel|program}} @numbers
// CHECK: arith.constant 2.000000e+00
// CHECK-NEXT: ttl.compute
// CHECK: ttl.copy_tile %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.tile_fill %{{.+}} {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add %{{.+}} {dst_idx = 2 : i32}
ttl.kernel @numbers() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a : !block
    %y_blk = ttl.cb_reserve %y : !block
    ttl.compute ins(%a_blk, %a_blk : !block, !block) outs(%y_blk : !block)
        attributes {indexing_maps = [#id, #id, #id], iterator_types = [#p, #p]} {
    ^bb0(%x: !t, %z: !t, %o: !t):
      %two = arith.constant 2.0 : f32
      %e = ttl.tile_fill %two : !t
      %s = ttl.tile_add %x, %e : (!t, !t) -> !t
      ttl.yield %s : !t
    }
    ttl.cb_pop %a_blk : !block
    ttl.cb_push %y_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.allocate_dst_registers %k {order = "arguments"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
