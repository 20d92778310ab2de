// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Threads that bind or use wrong values.

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = builtin.unrealized_conversion_cast to !cb
  // expected-error-re @+1 {{'ttl.thread' op cannot bind a '{{.*}}' that no op of its program creates}}
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %b = builtin.unrealized_conversion_cast to !cb
  // expected-error-re @+1 {{'ttl.cb_wait' op cannot use a '{{.*}}' that is no argument of its thread function}}
  %blk = ttl.cb_wait %b : !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.thread' op cannot run @t, which is not a function with a body}}
  ttl.thread @t on riscv_1 ()
}
func.func private @t()
