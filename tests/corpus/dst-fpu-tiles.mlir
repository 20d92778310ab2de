// Sums, differences and products that the matrix engine computes directly from tiles in L1; one
// product is added to another one, which is in DST.
// options: --start-from=compute

!tile = !ttcore.tile<32x32, f32>
!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @dst_fpu_tiles(%a: !tensor, %b: !tensor, %y: !tensor, %z: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %z_blk = ttl.cb_reserve %z_cb : !block
    ttl.compute ins(%a_blk, %b_blk : !block, !block) outs(%y_blk, %z_blk : !block, !block)
        attributes {indexing_maps = [affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (i, j)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ^bb0(%ta: !tile, %tb: !tile, %ty: !tile, %tz: !tile):
      %s = ttl.tile_fpu_binary add %ta, %tb : (!tile, !tile) -> !tile
      %d = ttl.tile_fpu_binary sub %ta, %tb : (!tile, !tile) -> !tile
      %m = ttl.tile_fpu_binary mul %ta, %ta : (!tile, !tile) -> !tile
      %n = ttl.tile_fpu_binary mul %tb, %ta acc %m : (!tile, !tile, !tile) -> !tile
      %p = ttl.tile_mul %s, %d : (!tile, !tile) -> !tile
      %r = ttl.tile_exp %d : (!tile) -> !tile
      %u = ttl.tile_add %p, %r : (!tile, !tile) -> !tile
      ttl.yield %u, %n : !tile, !tile
    }
    ttl.cb_push %y_blk : !block
    ttl.cb_push %z_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
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
  %b = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %z = ttltest.full 7.0 : !tensor
  ttl.launch @dst_fpu_tiles(%a, %b, %y, %z) : !tensor, !tensor, !tensor, !tensor
  return
}
