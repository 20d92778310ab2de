// A ttl.compute that was tiled: four ops, each with a window of the blocks.
// options: --start-from=compute

!tile = !ttcore.tile<32x32, f32>
!tensor = tensor<128x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[4, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<4x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<4x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[4, 2], !tensor>
!tensor2 = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb2 = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block2 = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb2>
!value2 = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice2 = !ttl.tensor_slice<[1, 2], !tensor2>

ttl.kernel @compute_window(%a: !tensor, %b: !tensor2, %y: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb2
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %b_acc = ttl.tensor_accessor %b : !tensor2 -> !ttl.accessor<!tensor2>
    %b_blk = ttl.cb_reserve %b_cb : !block2
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor2> -> !slice2
    %b_xf = ttl.copy %b_part, %b_blk : !slice2, !block2
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block2
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block2
    %y_blk = ttl.cb_reserve %y_cb : !block
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    scf.for %m = %c0 to %four step %two {
      scf.for %n = %c0 to %two step %one {
        ttl.compute ins(%a_blk, %b_blk : !block, !block2) outs(%y_blk : !block) window(%m, %n) [2, 1]
            attributes {indexing_maps = [affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (0, j)>,
        affine_map<(i, j) -> (i, j)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
        ^bb0(%ta: !tile, %tb: !tile, %ty: !tile):
          %p = ttl.tile_sub %ta, %tb : (!tile, !tile) -> !tile
          ttl.yield %p : !tile
        }
      }
    }
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block2
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
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %b = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor2
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @compute_window(%a, %b, %y) : !tensor, !tensor2, !tensor
  return
}
