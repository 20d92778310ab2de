// Copies without a wait, which complete when their block is released; and a barrier that the
// thread asks for.

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @unwaited(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x2>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %x, %row = ttl.core : index, index
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %cb : !block
    %part = ttl.index_accessor %acc[%row, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %x, %row = ttl.core : index, index
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %cb : !block
    %part = ttl.index_accessor %acc[%row, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.dma_barrier
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @unwaited(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
