// RUN: ttl-opt %s --ttl-lower-data-movement --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @outside(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @reader on riscv_1 (%a, %t) : !cb, !tensor
}
func.func @reader(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  // expected-error @+1 {{index 2 of 'tensor' in dimension 0 is out of range: a part of 1 must start at an index from 0 to 1}}
  %s = ttl.index_accessor %acc[%c2, %c0] : !accessor -> !slice
  %xf = ttl.copy %s, %block : !slice, !block
  ttl.wait %xf
  return
}
