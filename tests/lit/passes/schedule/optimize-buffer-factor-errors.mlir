// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @large() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the kernel's buffers already take 4096 bytes of L1, but 4000 are allowed: make blocks smaller}}
    %0 = transform.ttl.optimize_buffer_factor %cbs {l1_bytes = 4000 : i64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @one() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
}
ttl.kernel @two() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the transform op was applied to this op}}
  %a = ttl.create_cb "a" : !cb
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the targets must be buffers of one kernel}}
    %0 = transform.ttl.optimize_buffer_factor %cbs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!tensor = tensor<64x32xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 1x1, shard = 64x32>>>

ttl.program @backed(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the transform op was applied to this op}}
  %a = ttl.create_cb "a" in(%t : !tensor) : !cb
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'a' is backed by a tensor, so its number of blocks is fixed}}
    %0 = transform.ttl.optimize_buffer_factor %cbs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.program @placed() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the transform op was applied to this op}}
  %a = ttl.create_cb "a" {address = 1024 : i64} : !cb
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'a' already has an address in L1: apply the schedule before stage buffers}}
    %0 = transform.ttl.optimize_buffer_factor %cbs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the targets must be ttl.create_cb ops}}
    %0 = transform.ttl.optimize_buffer_factor %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{'transform.ttl.optimize_buffer_factor' op 'max_factor' must be at least 1; found 0}}
    %0 = transform.ttl.optimize_buffer_factor %root {max_factor = 0 : i64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
