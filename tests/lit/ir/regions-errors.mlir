// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Regions of block expressions that the verifiers refuse.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !block, %y: !block) {
  // expected-error @+1 {{'ttl.compute_region' op the body has arguments of types ('tensor<1x1x!ttcore.tile<32x32, f32>>'), but the inputs have types ('!ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, <[1, 1], !ttcore.tile<32x32, f32>, 2>>')}}
  %r = ttl.compute_region ins(%a : !block) {
  ^bb0(%p: !e):
    ttl.yield %p : !e
  } -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e, %y: !block) {
  // expected-error @+1 {{'ttl.compute_region' op yields values of types ('tensor<1x1x!ttcore.tile<32x32, f32>>', 'tensor<1x1x!ttcore.tile<32x32, f32>>'), but its results have types ('tensor<1x1x!ttcore.tile<32x32, f32>>')}}
  %r = ttl.compute_region ins() {
    ttl.yield %a, %a : !e, !e
  } -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e, %y: !block) {
  // expected-error @+1 {{'ttl.compute_region' op must yield one value per output, found 1 values for 2 outputs}}
  ttl.compute_region ins() outs(%y, %y : !block, !block) {
    ttl.yield %a : !e
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e, %y: !block) {
  // expected-error @+1 {{'ttl.compute_region' op cannot store a value of shape (1, 1) into a block of shape (1, 2)}}
  ttl.compute_region ins() outs(%y : !block) {
    ttl.yield %a : !e
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e, %y: !block) {
  %r = ttl.block_compute {
    // expected-error @+1 {{'ttl.block_store' op is not allowed in ttl.block_compute, which may only contain block expressions}}
    ttl.block_store %y, %a : !block, !e
    ttl.yield %a : !e
  } -> !e
  return
}

// -----

!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{'ttl.block_compute' op yields values of types ('tensor<1x1x!ttcore.tile<32x32, f32>>'), but its results have types ('tensor<1x2x!ttcore.tile<32x32, f32>>')}}
  %r = ttl.block_compute {
    ttl.yield %a : !e
  } -> tensor<1x2x!ttcore.tile<32x32, f32>>
  return
}

// -----

!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{'ttl.yield' op expects parent op to be one of 'ttl.compute, ttl.compute_region, ttl.block_compute, ttl.if_pipe_src, ttl.if_pipe_dst'}}
  ttl.yield %a : !e
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e, %y: !block) {
  // expected-error @+1 {{'ttl.compute_region' op must have either outputs or results, not both}}
  %r = ttl.compute_region ins() outs(%y : !block) {
    ttl.yield %a : !e
  } -> !e
  return
}
