// A value that is stored to two blocks, and a block that is stored unchanged.

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<2x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[2, 2], !tensor>

ttl.kernel @stored_twice(%a: !tensor, %y: !tensor, %z: !tensor, %w: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb
  %w_cb = ttl.create_cb "w_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %z_blk = ttl.cb_reserve %z_cb : !block
    %w_blk = ttl.cb_reserve %w_cb : !block
    %p = ttl.block_square %a_blk : (!block) -> !value
    ttl.block_store %y_blk, %p : !block, !value
    ttl.block_store %z_blk, %p : !block, !value
    ttl.block_store %w_blk, %a_blk : !block, !block
    ttl.cb_push %y_blk : !block
    ttl.cb_push %z_blk : !block
    ttl.cb_push %w_blk : !block
    ttl.cb_pop %a_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
    %z_acc = ttl.tensor_accessor %z : !tensor -> !ttl.accessor<!tensor>
    %z_blk = ttl.cb_wait %z_cb : !block
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %z_xf = ttl.copy %z_blk, %z_part : !block, !slice
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block
    %w_acc = ttl.tensor_accessor %w : !tensor -> !ttl.accessor<!tensor>
    %w_blk = ttl.cb_wait %w_cb : !block
    %w_part = ttl.index_accessor %w_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %w_xf = ttl.copy %w_blk, %w_part : !block, !slice
    ttl.wait %w_xf
    ttl.cb_pop %w_blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %z = ttltest.full 7.0 : !tensor
  %w = ttltest.full 7.0 : !tensor
  ttl.launch @stored_twice(%a, %y, %z, %w) : !tensor, !tensor, !tensor, !tensor
  return
}
