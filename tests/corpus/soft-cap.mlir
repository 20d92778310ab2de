// softcap, which limits numbers to -2..2 by tanh.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @soft_cap(%x: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %x_acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
    %x_blk = ttl.cb_reserve %x_cb : !block
    %x_part = ttl.index_accessor %x_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %x_xf = ttl.copy %x_part, %x_blk : !slice, !block
    ttl.wait %x_xf
    ttl.cb_push %x_blk : !block
  }
  ttl.compute_thread "compute" {
    %x_blk = ttl.cb_wait %x_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %beta = arith.constant 2.0 : f32
    %reciprocal = arith.constant 0.5 : f32
    %r = ttl.block_softcap %x_blk, %beta, %reciprocal : (!block, f32, f32) -> !value
    ttl.block_store %y_blk, %r : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %x_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
  }
}

func.func @main() {
  %x = ttltest.random 5 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @soft_cap(%x, %y) : !tensor, !tensor
  return
}
