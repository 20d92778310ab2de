// Views: another grid for the same data, blocks in another order, columns that roll; copies without arithmetic; a grid
// that is no rectangle of cores; programs side by side.

#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
#L = #ttcore.metal_layout<logical_shape = 128x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!x = tensor<2x2x2x2x!t, #L>
!y = tensor<4x1x1x4x!t, #L>
!b = tensor<1x4x!t>
#reblock = affine_map<(d0, d1, d2, d3) -> ((d0 + d2) floordiv 2, (d1 * 4 + d3) floordiv 2, (d0 + d2) mod 2, (d1 * 4 + d3) mod 2)>
#swap = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3, d2)>
#roll = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, (d3 + 1) mod 2)>

func.func @reblocked(%x: !x) -> !y {
  %v = d2m.view_layout %x remapping = #reblock : !x -> !y
  %o = d2m.empty() : !y
  %r = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<4x1>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
      ins(%v : !y) outs(%o : !y) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %e = tensor.empty() : !b
    %b = d2m.remote_load %e %v[%i, %j] : !b, !y -> !b
    %w = d2m.remote_store %o[%i, %j] %b : !y, !b -> !y
    d2m.yield %w : (!y)
  } : !y
  return %r : !y
}

func.func @chained(%x: !x) -> !x {
  %u = d2m.view_layout %x remapping = #swap : !x -> !x
  %v = d2m.view_layout %u remapping = #roll : !x -> !x
  %o = d2m.empty() : !x
  %w = d2m.view_layout %o remapping = #swap : !x -> !x
  %r = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
      ins(%v : !x) outs(%w : !x) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %e = tensor.empty() : tensor<2x2x!t>
    %b = d2m.remote_load %e %v[%i, %j] : tensor<2x2x!t>, !x -> tensor<2x2x!t>
    %f = tensor.empty() : tensor<2x2x!t>
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<2x2x!t>) outs(%f : tensor<2x2x!t>) {
    ^bb0(%a: !t, %out: !t):
      %0 = "d2m.tile_negative"(%a) : (!t) -> !t
      linalg.yield %0 : !t
    } -> tensor<2x2x!t>
    %z = d2m.remote_store %w[%i, %j] %s : !x, tensor<2x2x!t> -> !x
    d2m.yield %z : (!x)
  } : !x
  %h = tensor.empty() : tensor<128x128xf32>
  %q = d2m.to_layout %r, %h : !x into tensor<128x128xf32> -> tensor<128x128xf32>
  %g = d2m.empty() : !x
  %k = d2m.to_layout %q, %g : tensor<128x128xf32> into !x -> !x
  return %k : !x
}

#W = #ttcore.metal_layout<logical_shape = 32x384, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!wide = tensor<1x12x1x1x!t, #W>
func.func @virtual(%x: tensor<32x384xf32>) -> tensor<32x384xf32> {
  %e = d2m.empty() {virtualGridInverseMapping = affine_map<(d0, d1) -> (0, 0, d0 * 4 + d1)>, virtualGridForwardMapping = affine_map<(d0, d1) -> (0, d1 floordiv 4, d1 mod 4)>} : !wide
  %a = d2m.to_layout %x, %e : tensor<32x384xf32> into !wide -> !wide
  %o = d2m.empty() : !wide
  %r = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<1x12, virt_to_physical_map = (d0, d1) -> (0, d1 floordiv 4, d1 mod 4), physical_to_virt_map = (d0, d1) -> (0, 0, d0 * 4 + d1)>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
      ins(%a : !wide) outs(%o : !wide) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %t = tensor.empty() : tensor<1x1x!t>
    %b = d2m.remote_load %t %a[%i, %j] : tensor<1x1x!t>, !wide -> tensor<1x1x!t>
    %f = tensor.empty() : tensor<1x1x!t>
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<1x1x!t>) outs(%f : tensor<1x1x!t>) {
    ^bb0(%c: !t, %out: !t):
      %0 = "d2m.tile_sigmoid"(%c) : (!t) -> !t
      linalg.yield %0 : !t
    } -> tensor<1x1x!t>
    %w = d2m.remote_store %o[%i, %j] %s : !wide, tensor<1x1x!t> -> !wide
    d2m.yield %w : (!wide)
  } : !wide
  %h = tensor.empty() : tensor<32x384xf32>
  %q = d2m.to_host %r, %h layout = #W : !wide into tensor<32x384xf32> -> tensor<32x384xf32>
  return %q : tensor<32x384xf32>
}

func.func @spatial(%x: !x, %y: !x) -> (!x, !x) {
  %o = d2m.empty() : !x
  %q = d2m.empty() : !x
  %r:2 = d2m.spatial {grid_ranges = [#ttcore.core_range<(0, 0), (1, 1)>, #ttcore.core_range<(2, 0), (3, 1)>]} ins(%x, %y : !x, !x) outs(%o, %q : !x, !x) {
    %a = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
        ins(%x : !x) outs(%o : !x) {
      %i = d2m.block_index(0) : index
      %j = d2m.block_index(1) : index
      %t = tensor.empty() : tensor<2x2x!t>
      %b = d2m.remote_load %t %x[%i, %j] : tensor<2x2x!t>, !x -> tensor<2x2x!t>
      %f = tensor.empty() : tensor<2x2x!t>
      %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<2x2x!t>) outs(%f : tensor<2x2x!t>) {
      ^bb0(%c: !t, %out: !t):
        %0 = "d2m.tile_tanh"(%c) : (!t) -> !t
        linalg.yield %0 : !t
      } -> tensor<2x2x!t>
      %w = d2m.remote_store %o[%i, %j] %s : !x, tensor<2x2x!t> -> !x
      d2m.yield %w : (!x)
    } : !x
    d2m.spatial_yield %a : (!x)
  }, {
    %a = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]}
        ins(%y : !x) outs(%q : !x) {
      %i = d2m.block_index(0) : index
      %j = d2m.block_index(1) : index
      %t = tensor.empty() : tensor<2x2x!t>
      %b = d2m.remote_load %t %y[%i, %j] : tensor<2x2x!t>, !x -> tensor<2x2x!t>
      %w = d2m.remote_store %q[%i, %j] %b : !x, tensor<2x2x!t> -> !x
      d2m.yield %w : (!x)
    } : !x
    d2m.spatial_yield %a : (!x)
  } : !x, !x
  return %r#0, %r#1 : !x, !x
}
