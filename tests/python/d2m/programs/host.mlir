// Ops that the host runs between programs: masks and composite views.

#l1 = #ttcore.memory_space<l1>
#L = #ttcore.metal_layout<logical_shape = 50x40, dim_alignments = 32x32,
       collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!t = !ttcore.tile<32x32, f32>
!d = tensor<1x2x2x1x!t, #L>
!m = memref<2x1x1x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!w = memref<2x2x1x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!v = memref<2x2x1x2x!t, #ttcore.view<4>, #l1>
!b = memref<1x2x!t, #l1>

func.func @masked(%h: tensor<50x40xf32>) -> !d {
  %e = d2m.empty() : !d
  %x = d2m.to_layout %h, %e : tensor<50x40xf32> into !d -> !d
  %o = d2m.empty() : !d
  %y = d2m.mask %x, %o logical_shape = [50, 40] fill_value = <neginf> : !d into !d -> !d
  return %y : !d
}

// Both parts are put behind each other; then the columns of the second part are first.
func.func @side_by_side(%a: !m, %b: !m, %n: !w) {
  %both = "d2m.composite_view"(%a, %b) <{dim = 1 : si32}> : (!m, !m) -> !v
  %swapped = d2m.view_layout %both remapping = affine_map<(d0, d1, d2, d3) -> (d0, 1 - d1, d2, d3)> : !v -> !v
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<unified>]} ins(%swapped : !v) outs(%n : !w) {
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    %c = memref.alloc() : !b
    d2m.remote_load %c %swapped[%y, %x] : !b, !v
    d2m.remote_store %n[%y, %x] %c : !w, !b
  }
  return
}
