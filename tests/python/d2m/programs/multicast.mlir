// Several cores load data together: through pipes if the group is a row, a column or the whole grid.

#LA = #ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#LB = #ttcore.metal_layout<logical_shape = 128x96, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#LC = #ttcore.metal_layout<logical_shape = 64x96, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#l1 = #ttcore.memory_space<l1>
!t = !ttcore.tile<32x32, f32>
!s = tensor<1x1x!t>
!blk = memref<1x1x!t, #l1>
!q = !d2m.cb<!blk>
!a = tensor<2x4x1x1x!t, #LA>
!b = tensor<4x3x1x1x!t, #LB>
!c = tensor<2x3x1x1x!t, #LC>
!m = memref<2x3x1x1x!t, #ttcore.shard<4096x4096, 1>, #l1>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>

func.func @matmul(%x: tensor<64x128xf32>, %y: tensor<128x96xf32>) -> tensor<64x96xf32> {
  %ea = d2m.empty() : !a
  %a = d2m.to_layout %x, %ea : tensor<64x128xf32> into !a -> !a
  %eb = d2m.empty() : !b
  %b = d2m.to_layout %y, %eb : tensor<128x96xf32> into !b -> !b
  %c = d2m.empty() : !c
  %r = d2m.generic {block_factors = [1, 1, 4], grid = #ttcore.grid<2x3>, indexing_maps = [#mk, #kn, #mn], iterator_types = [#p, #p, #r], threads = [#d2m.thread<unified>]}
      ins(%a, %b : !a, !b) outs(%c : !c) {
    %m = d2m.block_index(0) : index
    %n = d2m.block_index(1) : index
    %k = d2m.block_index(2) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e0 = tensor.empty() : !s
    %l = d2m.remote_load %e0 %a[%m, %k] mcast[%c0] : !s, !a -> !s
    %e1 = tensor.empty() : !s
    %q = d2m.remote_load %e1 %b[%k, %n] mcast[%c1] : !s, !b -> !s
    %e2 = tensor.empty() : !s
    %z = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%l, %q : !s, !s) outs(%e2 : !s) {
    ^bb0(%i: !t, %j: !t, %acc: !t):
      %v = "d2m.tile_matmul"(%i, %j, %acc) : (!t, !t, !t) -> !t
      linalg.yield %v : !t
    } -> !s
    %w = d2m.remote_store %c[%m, %n] %z : !c, !s -> !c
    d2m.yield %w : (!c)
  } : !c
  %h = tensor.empty() : tensor<64x96xf32>
  %o = d2m.to_layout %r, %h : !c into tensor<64x96xf32> -> tensor<64x96xf32>
  return %o : tensor<64x96xf32>
}

// Each row loads its first shard, each column its last shard, and the whole grid the shard of core (1, 2).
func.func @regions(%x: !m, %y: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x3>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>, #d2m.thread<datamovement>, #d2m.thread<compute>]}
      ins(%x : !m) outs(%y : !m) {
    %in = d2m.get_cb(0) : !q
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    d2m.remote_load %x[%row, %c0] into %in mcore[%row, %c0] mshape[%c1, %c3] : !m into !q
    d2m.remote_load %x[%c1, %column] into %in mcore[%c0, %column] mshape[%c2, %c1] : !m into !q
    d2m.remote_load %x[%c1, %c2] into %in mcore[%c0, %c0] mshape[%c2, %c3] : !m into !q
  }, {
    %out = d2m.get_cb(1) : !q
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    d2m.remote_store %y[%row, %column] from %out : !m from !q
  }, {
    %in = d2m.get_cb(0) : !q
    %out = d2m.get_cb(1) : !q
    %a = d2m.wait %in : !q -> !blk
    %sum = memref.alloc() : !blk
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : !blk) outs(%sum : !blk) {
    ^bb0(%i: !t, %o: !t):
      %v = "d2m.tile_square"(%i) : (!t) -> !t
      linalg.yield %v : !t
    }
    d2m.pop %in : !q
    %b = d2m.wait %in : !q -> !blk
    %part = memref.alloc() : !blk
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %b : !blk, !blk) outs(%part : !blk) {
    ^bb0(%i: !t, %j: !t, %o: !t):
      %v = "d2m.tile_add"(%i, %j) : (!t, !t) -> !t
      linalg.yield %v : !t
    }
    d2m.pop %in : !q
    %c = d2m.wait %in : !q -> !blk
    %r = d2m.reserve %out : !q -> !blk
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%part, %c : !blk, !blk) outs(%r : !blk) {
    ^bb0(%i: !t, %j: !t, %o: !t):
      %v = "d2m.tile_mul"(%i, %j) : (!t, !t) -> !t
      linalg.yield %v : !t
    }
    d2m.push %out : !q
    d2m.pop %in : !q
  }
  return
}

// Each core loads its own shard, because shards differ in the group or cores do not load equally often.
func.func @plain(%x: !m, %y: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x3>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]}
      ins(%x : !m) outs(%y : !m) {
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %block = memref.alloc() : !blk
    d2m.remote_load %block %x[%row, %column] mcore[%row, %c0] mshape[%c1, %c3] : !blk, !m
    d2m.remote_store %y[%row, %column] %block : !m, !blk
  }
  return
}
