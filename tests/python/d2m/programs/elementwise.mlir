// Element-wise ops: repeated rows, columns and scalars, comparisons, numbers, on 2x2 cores with 2 blocks each.

#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
#row = affine_map<(d0, d1) -> (0, d1)>
#col = affine_map<(d0, d1) -> (d0, 0)>
#one = affine_map<(d0, d1) -> (0, 0)>
#L = #ttcore.metal_layout<logical_shape = 128x256, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#R = #ttcore.metal_layout<logical_shape = 1x256, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#C = #ttcore.metal_layout<logical_shape = 128x1, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, dram, interleaved>
#L2 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!x = tensor<2x4x2x2x!t, #L>
!row = tensor<1x4x1x2x!t, #R>
!col = tensor<2x1x2x1x!t, #C>
!b = tensor<2x2x!t>
!br = tensor<1x2x!t>
!bc = tensor<2x1x!t>

func.func @broadcast(%x: !x, %row: !row, %col: !col) -> !x {
  %o = d2m.empty() : !x
  %r = d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #row, #col, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
      ins(%x, %row, %col : !x, !row, !col) outs(%o : !x) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %half = arith.constant 0.5 : f32
    %e0 = tensor.empty() : !b
    %b = d2m.remote_load %e0 %x[%i, %j] : !b, !x -> !b
    %e1 = tensor.empty() : !br
    %br = d2m.remote_load %e1 %row[%zero, %j] : !br, !row -> !br
    %e2 = tensor.empty() : !bc
    %bc = d2m.remote_load %e2 %col[%i, %zero] : !bc, !col -> !bc
    %e3 = tensor.empty() : !b
    %s = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %br, %bc : !b, !br, !bc) outs(%e3 : !b) {
    ^bb0(%v: !t, %w: !t, %u: !t, %out: !t):
      %0 = "d2m.tile_bcast"(%w) <{bcast_type = #d2m<tile_bcast_type row>}> : (!t) -> !t
      %1 = "d2m.tile_bcast"(%u) <{bcast_type = #d2m<tile_bcast_type col>}> : (!t) -> !t
      %2 = "d2m.tile_mul"(%v, %0) : (!t, !t) -> !t
      %3 = "d2m.tile_sub"(%2, %1) : (!t, !t) -> !t
      %4 = "d2m.tile_mul"(%3, %half) : (!t, f32) -> !t
      %5 = "d2m.tile_gtz"(%4) : (!t) -> !t
      %6 = "d2m.tile_exp"(%4) : (!t) -> !t
      %7 = "d2m.tile_where"(%5, %6, %v) : (!t, !t, !t) -> !t
      %8 = "d2m.tile_clamp_scalar"(%7) <{min = -0.5 : f32, max = 1.5 : f32}> : (!t) -> !t
      linalg.yield %8 : !t
    } -> !b
    %w = d2m.remote_store %o[%i, %j] %s : !x, !b -> !x
    d2m.yield %w : (!x)
  } : !x
  return %r : !x
}

// Element (0, 0) of each tile is repeated, tiles are transposed in place, and a block's tiles are transposed.
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed(%x: tensor<1x1x2x2x!t, #L2>) -> tensor<1x1x2x2x!t, #L2> {
  %o = d2m.empty() : tensor<1x1x2x2x!t, #L2>
  %r = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<1x1>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
      ins(%x : tensor<1x1x2x2x!t, #L2>) outs(%o : tensor<1x1x2x2x!t, #L2>) {
    %zero = arith.constant 0 : index
    %e0 = tensor.empty() : !b
    %b = d2m.remote_load %e0 %x[%zero, %zero] : !b, tensor<1x1x2x2x!t, #L2> -> !b
    %e3 = tensor.empty() : !b
    %s = linalg.generic {indexing_maps = [#swap, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %b : !b, !b) outs(%e3 : !b) {
    ^bb0(%v: !t, %w: !t, %out: !t):
      %0 = "d2m.tile_transpose"(%v) : (!t) -> !t
      %1 = "d2m.tile_bcast"(%w) <{bcast_type = #d2m<tile_bcast_type scalar>}> : (!t) -> !t
      %2 = "d2m.tile_transpose"(%w) : (!t) -> !t
      %3 = "d2m.tile_add"(%0, %1) : (!t, !t) -> !t
      %4 = "d2m.tile_maximum"(%3, %2) : (!t, !t) -> !t
      linalg.yield %4 : !t
    } -> !b
    %w = d2m.remote_store %o[%zero, %zero] %s : tensor<1x1x2x2x!t, #L2>, !b -> tensor<1x1x2x2x!t, #L2>
    d2m.yield %w : (tensor<1x1x2x2x!t, #L2>)
  } : tensor<1x1x2x2x!t, #L2>
  return %r : tensor<1x1x2x2x!t, #L2>
}
