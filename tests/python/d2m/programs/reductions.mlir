// Sums and maxima of rows, of columns and of both, over blocks and over steps, and sums of whole tiles.

#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
#in = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0, 0)>
#cols = affine_map<(d0, d1) -> (0, d1)>
#all = affine_map<(d0, d1) -> (0, 0)>
#L = #ttcore.metal_layout<logical_shape = 128x256, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#R = #ttcore.metal_layout<logical_shape = 128x1, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#C = #ttcore.metal_layout<logical_shape = 1x256, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#A = #ttcore.metal_layout<logical_shape = 1x1, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!x = tensor<2x4x2x2x!t, #L>
!b = tensor<2x2x!t>

func.func @rows(%x: !x) -> tensor<2x1x2x1x!t, #R> {
  %o = d2m.empty() : tensor<2x1x2x1x!t, #R>
  %r = d2m.generic {block_factors = [1, 4], grid = #ttcore.grid<2x1>, indexing_maps = [#in, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]}
      ins(%x : !x) outs(%o : tensor<2x1x2x1x!t, #R>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 0.25 : f32
    %e0 = tensor.empty() : !b
    %b = d2m.remote_load %e0 %x[%i, %j] : !b, !x -> !b
    %e1 = tensor.empty() : tensor<2x1x!t>
    %s = linalg.generic {indexing_maps = [#in, #rows], iterator_types = ["parallel", "reduction"]} ins(%b : !b) outs(%e1 : tensor<2x1x!t>) {
    ^bb0(%v: !t, %acc: !t):
      %scaler = d2m.tile_fill(%one) : f32 -> !t
      %0 = "d2m.tile_reduce_sum"(%v, %scaler, %acc) <{reduce_dim = #d2m<reduce_dim R>}> : (!t, !t, !t) -> !t
      linalg.yield %0 : !t
    } -> tensor<2x1x!t>
    %e2 = tensor.empty() : tensor<2x1x!t>
    %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<2x1x!t>) outs(%e2 : tensor<2x1x!t>) {
    ^bb0(%v: !t, %out: !t):
      %0 = "d2m.tile_bcast"(%v) <{bcast_type = #d2m<tile_bcast_type col>}> : (!t) -> !t
      %1 = "d2m.tile_square"(%0) : (!t) -> !t
      linalg.yield %1 : !t
    } -> tensor<2x1x!t>
    %w = d2m.remote_store %o[%i, %zero] %m : tensor<2x1x2x1x!t, #R>, tensor<2x1x!t> -> tensor<2x1x2x1x!t, #R>
    d2m.yield %w : (tensor<2x1x2x1x!t, #R>)
  } : tensor<2x1x2x1x!t, #R>
  return %r : tensor<2x1x2x1x!t, #R>
}

func.func @columns(%x: !x) -> tensor<1x4x1x2x!t, #C> {
  %o = d2m.empty() : tensor<1x4x1x2x!t, #C>
  %r = d2m.generic {block_factors = [2, 2], grid = #ttcore.grid<1x2>, indexing_maps = [#in, #cols], iterator_types = [#r, #p], threads = [#d2m.thread<unified>]}
      ins(%x : !x) outs(%o : tensor<1x4x1x2x!t, #C>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %e0 = tensor.empty() : !b
    %b = d2m.remote_load %e0 %x[%i, %j] : !b, !x -> !b
    %e1 = tensor.empty() : tensor<1x2x!t>
    %s = linalg.generic {indexing_maps = [#in, #cols], iterator_types = ["reduction", "parallel"]} ins(%b : !b) outs(%e1 : tensor<1x2x!t>) {
    ^bb0(%v: !t, %acc: !t):
      %scaler = d2m.tile_fill(%one) : f32 -> !t
      %0 = "d2m.tile_reduce_max"(%v, %scaler, %acc) <{reduce_dim = #d2m<reduce_dim C>}> : (!t, !t, !t) -> !t
      linalg.yield %0 : !t
    } -> tensor<1x2x!t>
    %e2 = tensor.empty() : tensor<1x2x!t>
    %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x2x!t>) outs(%e2 : tensor<1x2x!t>) {
    ^bb0(%v: !t, %out: !t):
      %0 = "d2m.tile_bcast"(%v) <{bcast_type = #d2m<tile_bcast_type row>}> : (!t) -> !t
      linalg.yield %0 : !t
    } -> tensor<1x2x!t>
    %w = d2m.remote_store %o[%zero, %j] %m : tensor<1x4x1x2x!t, #C>, tensor<1x2x!t> -> tensor<1x4x1x2x!t, #C>
    d2m.yield %w : (tensor<1x4x1x2x!t, #C>)
  } : tensor<1x4x1x2x!t, #C>
  return %r : tensor<1x4x1x2x!t, #C>
}

func.func @both(%x: !x) -> tensor<1x1x1x1x!t, #A> {
  %o = d2m.empty() : tensor<1x1x1x1x!t, #A>
  %r = d2m.generic {block_factors = [2, 4], grid = #ttcore.grid<1x1>, indexing_maps = [#in, #all], iterator_types = [#r, #r], threads = [#d2m.thread<unified>]}
      ins(%x : !x) outs(%o : tensor<1x1x1x1x!t, #A>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %e0 = tensor.empty() : !b
    %b = d2m.remote_load %e0 %x[%i, %j] : !b, !x -> !b
    %e1 = tensor.empty() : tensor<1x1x!t>
    %s = linalg.generic {indexing_maps = [#in, #all], iterator_types = ["reduction", "reduction"]} ins(%b : !b) outs(%e1 : tensor<1x1x!t>) {
    ^bb0(%v: !t, %acc: !t):
      %scaler = d2m.tile_fill(%one) : f32 -> !t
      %0 = "d2m.tile_reduce_sum"(%v, %scaler, %acc) <{reduce_dim = #d2m<reduce_dim RC>}> : (!t, !t, !t) -> !t
      linalg.yield %0 : !t
    } -> tensor<1x1x!t>
    %e2 = tensor.empty() : tensor<1x1x!t>
    %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x1x!t>) outs(%e2 : tensor<1x1x!t>) {
    ^bb0(%v: !t, %out: !t):
      %0 = "d2m.tile_bcast"(%v) <{bcast_type = #d2m<tile_bcast_type scalar>}> : (!t) -> !t
      linalg.yield %0 : !t
    } -> tensor<1x1x!t>
    %w = d2m.remote_store %o[%zero, %zero] %m : tensor<1x1x1x1x!t, #A>, tensor<1x1x!t> -> tensor<1x1x1x1x!t, #A>
    d2m.yield %w : (tensor<1x1x1x1x!t, #A>)
  } : tensor<1x1x1x1x!t, #A>
  return %r : tensor<1x1x1x1x!t, #A>
}

// The sum of all tiles in a column of tiles.
func.func @tiles(%x: !x) -> tensor<1x4x1x2x!t, #C> {
  %o = d2m.empty() : tensor<1x4x1x2x!t, #C>
  %r = d2m.generic {block_factors = [2, 2], grid = #ttcore.grid<1x2>, indexing_maps = [#in, #cols], iterator_types = [#r, #p], threads = [#d2m.thread<unified>]}
      ins(%x : !x) outs(%o : tensor<1x4x1x2x!t, #C>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %e0 = tensor.empty() : !b
    %b = d2m.remote_load %e0 %x[%i, %j] : !b, !x -> !b
    %e1 = tensor.empty() : tensor<1x2x!t>
    %s = linalg.generic {indexing_maps = [#in, #cols], iterator_types = ["reduction", "parallel"]} ins(%b : !b) outs(%e1 : tensor<1x2x!t>) {
    ^bb0(%v: !t, %acc: !t):
      %0 = "d2m.tile_add"(%v, %acc) : (!t, !t) -> !t
      linalg.yield %0 : !t
    } -> tensor<1x2x!t>
    %w = d2m.remote_store %o[%zero, %j] %s : tensor<1x4x1x2x!t, #C>, tensor<1x2x!t> -> tensor<1x4x1x2x!t, #C>
    d2m.yield %w : (tensor<1x4x1x2x!t, #C>)
  } : tensor<1x4x1x2x!t, #C>
  return %r : tensor<1x4x1x2x!t, #C>
}
