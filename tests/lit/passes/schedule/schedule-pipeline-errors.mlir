// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @none() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "reader" {
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the target has no transfers to schedule}}
    %0 = transform.ttl.schedule_pipeline %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @+1 {{the transform op was applied to this op}}
func.func @f() {
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{the target must be a kernel or an op in one}}
    %0 = transform.ttl.schedule_pipeline %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<4096x4096xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[10, 15], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<10x15x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[10, 15], !tensor>

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @large(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %b_xf
    ttl.cb_push %b_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    // If the aggressive schedule does not fit, `auto` uses the conservative one.
    %0 = transform.ttl.schedule_pipeline %k : (!transform.any_op) -> !transform.any_op
    // expected-error-re @+1 {{the kernel's buffers would take 1843200 bytes of L1 with 'b' 2 blocks; wormhole_b0 has {{[0-9]+}}}}
    %1 = transform.ttl.schedule_pipeline %0 {strategy = "aggressive"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{'transform.ttl.schedule_pipeline' op 'strategy' must be one of auto, conservative, aggressive; found 'bold'}}
    %0 = transform.ttl.schedule_pipeline %root {strategy = "bold"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<4096x4096xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[10, 15], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<10x15x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[10, 15], !tensor>

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @placed(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" {address = 720000 : i64} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %b_xf
    ttl.cb_push %b_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'b' already has an address in L1 and cannot grow to 2 blocks: apply the schedule before stage buffers}}
    %1 = transform.ttl.schedule_pipeline %k {strategy = "aggressive"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<4096x4096xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!shards = tensor<320x480xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 1x1, shard = 320x480>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[10, 15], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<10x15x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[10, 15], !tensor>

// expected-note @+1 {{the transform op was applied to this op}}
ttl.kernel @backed(%a: !tensor, %b: !tensor, %s: !shards) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" in(%s : !shards) : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %b_xf
    ttl.cb_push %b_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{'b' is backed by a tensor and cannot grow to 2 blocks}}
    %1 = transform.ttl.schedule_pipeline %k {strategy = "aggressive"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
