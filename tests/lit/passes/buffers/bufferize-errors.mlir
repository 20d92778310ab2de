// RUN: ttl-opt %s --ttl-bufferize --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @t on compute (%a) : !cb
}
func.func @t(%a: !cb) {
  %0 = ttl.cb_wait %a : !block
  // expected-error @+1 {{a block expression stands in no buffer: run ttl-form-compute before ttl-bufferize}}
  %1 = ttl.block_exp %0 : (!block) -> !value
  ttl.cb_pop %0 : !block
  return
}
