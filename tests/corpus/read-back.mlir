// A thread stores to a block and reads it again: it reads the rounded value.

!tensor = tensor<32x32xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @read_back(%a: !tensor, %y: !tensor, %z: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb
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
    %p = ttl.block_exp %a_blk : (!block) -> !value
    ttl.block_store %y_blk, %p : !block, !value
    %q = ttl.block_sub %y_blk, %a_blk : (!block, !block) -> !value
    ttl.block_store %z_blk, %q : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_push %z_blk : !block
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
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %z = ttltest.full 7.0 : !tensor
  ttl.launch @read_back(%a, %y, %z) : !tensor, !tensor, !tensor
  return
}
