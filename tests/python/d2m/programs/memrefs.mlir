// Memrefs: blocking loops, loops in the body that carry a block, bfloat16, a program without block factors.

#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#l1 = #ttcore.memory_space<l1>
!h = !ttcore.tile<32x32, bf16>
!a = memref<2x2x2x2x!h, #ttcore.shard<4096x2048, 1>, #l1>
!b = memref<2x2x2x1x!h, #ttcore.shard<2048x2048, 1>, #l1>
!c = memref<2x2x2x1x!h, #ttcore.shard<2048x2048, 1>, #l1>

func.func @blocking(%a: !a, %b: !b, %c: !c) {
  d2m.generic {block_factors = [2, 1, 2], grid = #ttcore.grid<1x2>, indexing_maps = [#mk, #kn, #mn], iterator_types = [#p, #p, #r], threads = [#d2m.thread<unified>]}
      ins(%a, %b : !a, !b) outs(%c : !c) {
  ^unified0:
    %f0 = d2m.get_block_factor(0) : index
    %f1 = d2m.get_block_factor(1) : index
    %f2 = d2m.get_block_factor(2) : index
    affine.for %i = 0 to %f0 {
      affine.for %j = 0 to %f1 {
        affine.for %l = 0 to %f2 {
          %m = d2m.block_index(0) : index
          %n = d2m.block_index(1) : index
          %k = d2m.block_index(2) : index
          %x = memref.alloc() : memref<2x2x!h, #l1>
          d2m.remote_load %x %a[%m, %k] : memref<2x2x!h, #l1>, !a
          %y = memref.alloc() : memref<2x1x!h, #l1>
          d2m.remote_load %y %b[%k, %n] : memref<2x1x!h, #l1>, !b
          %z = memref.alloc() : memref<2x1x!h, #l1>
          "d2m.tile_matmul_block"(%x, %y, %z) : (memref<2x2x!h, #l1>, memref<2x1x!h, #l1>, memref<2x1x!h, #l1>) -> ()
          d2m.remote_store %c[%m, %n] %z : !c, memref<2x1x!h, #l1>
        } {d2m.blocking_loop = 2, d2m.reduction_loop}
      } {d2m.blocking_loop = 1}
    } {d2m.blocking_loop = 0}
  }
  return
}

!x = memref<2x4x1x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!y = memref<2x1x1x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!w = memref<1x2x!t, #l1>
func.func @explicit(%x: !x, %y: !y) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]}
      ins(%x : !x) outs(%y : !y) {
  ^unified0:
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %i = d2m.core_index(0) : index
    %s = memref.alloc() : !w
    scf.for %k = %zero to %four step %one {
      %b = memref.alloc() : !w
      d2m.remote_load %b %x[%i, %k] : !w, !x
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : !w) outs(%s : !w) {
      ^bb0(%v: !t, %sum: !t):
        %0 = "d2m.tile_abs"(%v) : (!t) -> !t
        %1 = "d2m.tile_add"(%0, %sum) : (!t, !t) -> !t
        linalg.yield %1 : !t
      }
    }
    d2m.remote_store %y[%i, %zero] %s : !y, !w
  }
  return
}
