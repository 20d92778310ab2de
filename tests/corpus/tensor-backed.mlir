// Buffers that are parts of sharded tensors: a published input, an output, and a tensor that is
// computed in place, in each shard from the second tile on.

#shards = #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x32>>
!tensor = tensor<128x32xf32, #shards>
!pair = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 1>
!pair_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !pair>
!one = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!one_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !one>
!two_tiles = tensor<2x1x!ttcore.tile<32x32, f32>>
!one_tile = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @shards(%a: !tensor, %b: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a_cb = ttl.create_cb "a_cb" in(%a : !tensor) : !pair
  %y_cb = ttl.create_cb "y_cb" in(%y : !tensor) : !pair
  %old = ttl.create_cb "old" in(%b : !tensor) {byte_offset = 4096 : i64} : !one
  %new = ttl.create_cb "new" in(%b : !tensor) {byte_offset = 4096 : i64} : !one
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %a_cb : !pair
    ttl.cb_publish %old : !one
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !pair_block
    %y_blk = ttl.cb_reserve %y_cb : !pair_block
    %sum = ttl.block_add %a_blk, %a_blk : (!pair_block, !pair_block) -> !two_tiles
    ttl.block_store %y_blk, %sum : !pair_block, !two_tiles
    ttl.cb_push %y_blk : !pair_block
    ttl.cb_pop %a_blk : !pair_block
    %old_blk = ttl.cb_wait %old : !one_block
    %new_blk = ttl.cb_reserve %new : !one_block
    %square = ttl.block_mul %old_blk, %old_blk : (!one_block, !one_block) -> !one_tile
    ttl.block_store %new_blk, %square : !one_block, !one_tile
    ttl.cb_push %new_blk : !one_block
    ttl.cb_pop %old_blk : !one_block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %b = ttltest.full 3.0 : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @shards(%a, %b, %y) : !tensor, !tensor, !tensor
  return
}
