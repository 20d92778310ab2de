// RUN: ttl-opt %s --ttl-insert-releases --verify-diagnostics

// Text without source positions gets its warning, too.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-warning @+1 {{a block of 'dfb' is never released; the compiler releases it after its last use in an unknown line: write push() there, or acquire it in a 'with'}}
    %a = ttl.cb_reserve %dfb : !block
    %xf = ttl.copy %s, %a : !slice, !block loc(unknown)
    ttl.wait %xf loc(unknown)
  }
}
