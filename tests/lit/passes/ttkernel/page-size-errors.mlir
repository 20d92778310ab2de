// RUN: ttl-opt %s --ttl-lower-data-movement --split-input-file --verify-diagnostics

// Pages whose start addresses are not aligned enough for reads of DRAM by the NoC.

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @wormhole(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the buffer is made here}}
  %a = ttl.create_cb "a" {buffer_index = 0 : i32, page_size = 4112 : i64} : !cb
  ttl.thread @reader on riscv_1 (%a, %t) : !cb, !tensor
}
func.func @reader(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  // A write may begin anywhere.
  %write = ttl.copy %block, %s : !block, !slice
  ttl.wait %write
  // expected-error @+1 {{this copy reads DRAM into 'a', whose page_size 4112 is no multiple of 32 bytes, the alignment of DRAM on wormhole_b0: write page_size = 4128}}
  %xf = ttl.copy %s, %block : !slice, !block
  ttl.wait %xf
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @blackhole(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, arch = "blackhole"} {
  // expected-note @+1 {{the buffer is made here}}
  %a = ttl.create_cb "a" {buffer_index = 0 : i32, page_size = 4128 : i64} : !cb
  ttl.thread @reader on riscv_1 (%a, %t) : !cb, !tensor
}
func.func @reader(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  // expected-error @+1 {{this copy reads DRAM into 'a', whose page_size 4128 is no multiple of 64 bytes, the alignment of DRAM on blackhole: write page_size = 4160}}
  %xf = ttl.copy %s, %block : !slice, !block
  ttl.wait %xf
  return
}
