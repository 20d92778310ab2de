#LA = #ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#LB = #ttcore.metal_layout<logical_shape = 128x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#LC = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!t = !ttcore.tile<32x32, f32>
!s = tensor<1x1x!t>
!a = tensor<2x4x1x1x!t, #LA>
!b = tensor<4x2x1x1x!t, #LB>
!c = tensor<2x2x1x1x!t, #LC>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
func.func @matmul(%x: tensor<64x128xf32>, %y: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %ea = d2m.empty() : !a
  %a = d2m.to_layout %x, %ea : tensor<64x128xf32> into !a -> !a
  %eb = d2m.empty() : !b
  %b = d2m.to_layout %y, %eb : tensor<128x64xf32> into !b -> !b
  %c = d2m.empty() : !c
  %r = d2m.generic {block_factors = [1, 1, 4], grid = #ttcore.grid<2x2>, indexing_maps = [#mk, #kn, #mn], iterator_types = [#p, #p, #r], threads = [#d2m.thread<unified>]}
      ins(%a, %b : !a, !b) outs(%c : !c) {
    %m = d2m.block_index(0) : index
    %n = d2m.block_index(1) : index
    %k = d2m.block_index(2) : index
    %e0 = tensor.empty() : !s
    %l = d2m.remote_load %e0 %a[%m, %k] : !s, !a -> !s
    %e1 = tensor.empty() : !s
    %q = d2m.remote_load %e1 %b[%k, %n] : !s, !b -> !s
    %e2 = tensor.empty() : !s
    %z = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%l, %q : !s, !s) outs(%e2 : !s) {
    ^bb0(%i: !t, %j: !t, %acc: !t):
      %v = "d2m.tile_matmul"(%i, %j, %acc) : (!t, !t, !t) -> !t
      linalg.yield %v : !t
    } -> !s
    %e3 = tensor.empty() : !s
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : !s) outs(%e3 : !s) {
    ^bb0(%i: !t, %acc: !t):
      %v = "d2m.tile_relu"(%i) : (!t) -> !t
      linalg.yield %v : !t
    } -> !s
    %w = d2m.remote_store %c[%m, %n] %g : !c, !s -> !c
    d2m.yield %w : (!c)
  } : !c
  %h = tensor.empty() : tensor<64x64xf32>
  %o = d2m.to_layout %r, %h : !c into tensor<64x64xf32> -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}
