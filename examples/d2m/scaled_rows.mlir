// Each row of x times its weight, and the sums of the rows of the result: two programs on 2x2 cores.

#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0, 0)>
#X = #ttcore.metal_layout<logical_shape = 128x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#W = #ttcore.metal_layout<logical_shape = 128x1, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!tile = !ttcore.tile<32x32, f32>
!x = tensor<2x2x2x2x!tile, #X>
!w = tensor<2x1x2x1x!tile, #W>
!xb = tensor<2x2x!tile>
!wb = tensor<2x1x!tile>

func.func @scaled_rows(%x: tensor<128x128xf32>, %w: tensor<128x1xf32>) -> (tensor<128x128xf32>, tensor<128x1xf32>) {
  %0 = d2m.empty() : !x
  %xd = d2m.to_layout %x, %0 : tensor<128x128xf32> into !x -> !x
  %1 = d2m.empty() : !w
  %wd = d2m.to_layout %w, %1 : tensor<128x1xf32> into !w -> !w
  %2 = d2m.empty() : !x
  %y = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #rows, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
      ins(%xd, %wd : !x, !w) outs(%2 : !x) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %e0 = tensor.empty() : !xb
    %a = d2m.remote_load %e0 %xd[%i, %j] : !xb, !x -> !xb
    %e1 = tensor.empty() : !wb
    %b = d2m.remote_load %e1 %wd[%i, %zero] : !wb, !w -> !wb
    %e2 = tensor.empty() : !xb
    %c = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : !xb, !wb) outs(%e2 : !xb) {
    ^bb0(%u: !tile, %v: !tile, %out: !tile):
      %s = "d2m.tile_bcast"(%v) <{bcast_type = #d2m<tile_bcast_type col>}> : (!tile) -> !tile
      %t = "d2m.tile_mul"(%u, %s) : (!tile, !tile) -> !tile
      linalg.yield %t : !tile
    } -> !xb
    %d = d2m.remote_store %2[%i, %j] %c : !x, !xb -> !x
    d2m.yield %d : (!x)
  } : !x
  %3 = d2m.empty() : !w
  %z = d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]}
      ins(%y : !x) outs(%3 : !w) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %e0 = tensor.empty() : !xb
    %a = d2m.remote_load %e0 %y[%i, %j] : !xb, !x -> !xb
    %e1 = tensor.empty() : !wb
    %c = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : !xb) outs(%e1 : !wb) {
    ^bb0(%u: !tile, %sum: !tile):
      %scaler = d2m.tile_fill(%one) : f32 -> !tile
      %t = "d2m.tile_reduce_sum"(%u, %scaler, %sum) <{reduce_dim = #d2m<reduce_dim R>}> : (!tile, !tile, !tile) -> !tile
      linalg.yield %t : !tile
    } -> !wb
    %d = d2m.remote_store %3[%i, %zero] %c : !w, !wb -> !w
    d2m.yield %d : (!w)
  } : !w
  %4 = tensor.empty() : tensor<128x128xf32>
  %yh = d2m.to_layout %y, %4 : !x into tensor<128x128xf32> -> tensor<128x128xf32>
  %5 = tensor.empty() : tensor<128x1xf32>
  %zh = d2m.to_layout %z, %5 : !w into tensor<128x1xf32> -> tensor<128x1xf32>
  return %yh, %zh : tensor<128x128xf32>, tensor<128x1xf32>
}
