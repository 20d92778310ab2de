// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Transforms of upstream MLIR that need ops which kernels do not have.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %compute = transform.structured.match ops{["ttl.compute"]} in %module
        : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{custom op 'transform.structured.fuse' cannot fuse in a kernel: ttl-form-compute has fused block expressions before stage 'compute' ends; write transform.structured.tile_using_for to tile the ttl.compute that it made}}
    %tiled, %loops = transform.structured.fuse %compute tile_sizes [1, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  %compute = transform.structured.match ops{["ttl.compute"]} in %module
      : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{custom op 'transform.structured.multitile_sizes' cannot split a ttl.compute: write transform.ttl.multisize_split, which tiles it with two sizes that cover the extent}}
  %sz1, %sz2, %split = transform.structured.multitile_sizes %compute { target_size = 8, dimension = 0 }
      : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
}

// -----

transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  // expected-error @+1 {{custom op 'transform.structured.tile_using_forall' cannot make a parallel loop in a kernel, whose grid says which cores run it: write transform.structured.tile_using_for}}
  transform.structured.tile_using_forall %module num_threads [2]
}

// -----

transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  // expected-error @+1 {{custom op 'transform.structured.interchange' cannot change the order of a ttl.compute's loops}}
  transform.structured.interchange %module
}

// -----

transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  // expected-error @+1 {{custom op 'transform.structured.pad' cannot move or pad data in a kernel, whose blocks are slots of circular buffers}}
  transform.structured.pad %module
}

// -----

transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  // expected-error @+1 {{custom op 'transform.structured.vectorize' cannot lower or rewrite a ttl.compute, which the stages after the schedule lower: leave it out}}
  transform.structured.vectorize %module
}

// -----

transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  // expected-error @+1 {{custom op 'transform.match.structured' matches ops of the linalg dialect, and a kernel has none: write transform.structured.match ops{["ttl.compute"]}}}
  transform.match.structured %module
}

// -----

// expected-error @+1 {{'transform.structured.split_reduction' op cannot tile a reduction of a ttl.compute, which sums in ascending order: tile its other dimensions with transform.structured.tile_using_for}}
"transform.structured.split_reduction"() : () -> ()
