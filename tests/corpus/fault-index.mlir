// A part of a tensor that begins outside of it: the same fault at every stage.
// status: fault

!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @outside(%a: !tensor) attributes {grid = #ttcore.grid<3x1>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %x, %row = ttl.core : index, index
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %cb : !block
    %part = ttl.index_accessor %acc[%x, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %blk = ttl.cb_wait %cb : !block
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  ttl.launch @outside(%a) : !tensor
  return
}
