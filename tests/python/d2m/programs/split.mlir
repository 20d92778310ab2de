// Each region is a thread: queues, copies with handles, loops, and operands that are the memory of their queue.

#p = #ttcore.iterator_type<parallel>
#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
#l1 = #ttcore.memory_space<l1>
!m = memref<2x4x1x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!blk = memref<1x2x!t, #l1>

func.func @queues(%src: !m, %dst: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x4>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>, #d2m.thread<datamovement>, #d2m.thread<compute>]}
      ins(%src : !m) outs(%dst : !m) {
  ^datamovement0:
    %q = d2m.get_cb(0) : !d2m.cb<!blk>
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    d2m.remote_load %src[%y, %x] into %q : !m into !d2m.cb<!blk>
  }, {
  ^datamovement1:
    %q = d2m.get_cb(1) : !d2m.cb<!blk>
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    d2m.remote_store %dst[%y, %x] from %q : !m from !d2m.cb<!blk>
  }, {
  ^compute0:
    %qi = d2m.get_cb(0) : !d2m.cb<!blk>
    %qo = d2m.get_cb(1) : !d2m.cb<!blk>
    %i = d2m.wait %qi : !d2m.cb<!blk> -> !blk
    %o = d2m.reserve %qo : !d2m.cb<!blk> -> !blk
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i : !blk) outs(%o : !blk) {
    ^bb0(%a: !t, %out: !t):
      %0 = "d2m.tile_exp"(%a) : (!t) -> !t
      linalg.yield %0 : !t
    }
    d2m.push %qo : !d2m.cb<!blk>
    d2m.pop %qi : !d2m.cb<!blk>
  }
  return
}

// Rows of blocks through two slots, with copies that are waited for; the slots are handed over at the end of the loops.
func.func @loops(%src: !m, %dst: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>, #d2m.thread<compute>, #d2m.thread<datamovement>]}
      ins(%src : !m) outs(%dst : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!blk>
    %y = d2m.core_index(0) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    scf.for %k = %zero to %four step %one {
      %b = d2m.reserve %q : !d2m.cb<!blk> -> !blk
      %t = d2m.dma_read %src[%y, %k], %b, <0> : (!m, !blk) -> !d2m.mem_tx<read>
      d2m.dma_wait %t : !d2m.mem_tx<read>
    }
  }, {
    %qi = d2m.get_cb(0) : !d2m.cb<!blk>
    %qo = d2m.get_cb(1) : !d2m.cb<!blk>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    scf.for %k = %zero to %four step %one {
      %i = d2m.wait %qi : !d2m.cb<!blk> -> !blk
      %o = d2m.reserve %qo : !d2m.cb<!blk> -> !blk
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i : !blk) outs(%o : !blk) {
      ^bb0(%a: !t, %out: !t):
        %0 = "d2m.tile_negative"(%a) : (!t) -> !t
        linalg.yield %0 : !t
      }
    }
  }, {
    %q = d2m.get_cb(1) : !d2m.cb<!blk>
    %y = d2m.core_index(0) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    scf.for %k = %zero to %four step %one {
      %b = d2m.wait %q : !d2m.cb<!blk> -> !blk
      %t = d2m.dma_write %b, %dst[%y, %k], <0> : (!blk, !m) -> !d2m.mem_tx<write>
      d2m.dma_wait %t : !d2m.mem_tx<write>
      d2m.pop %q : !d2m.cb<!blk>
    }
  }
  return
}

#L = #ttcore.metal_layout<logical_shape = 64x256, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!x = tensor<2x4x1x2x!t, #L>
!b = tensor<1x2x!t>
func.func @own_shards(%x: !x, %y: !x) -> !x {
  %o = d2m.empty() : !x
  %r = d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x4>, indexing_maps = [#id, #id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<compute>]}
      ins(%x, %y : !x, !x) outs(%o : !x) {
    %q0 = d2m.get_cb(0) : !d2m.cb<!b>
    %q1 = d2m.get_cb(1) : !d2m.cb<!b>
    %q2 = d2m.get_cb(2) : !d2m.cb<!b>
    %a = d2m.wait %q0 : !d2m.cb<!b> -> !b
    %c = d2m.wait %q1 : !d2m.cb<!b> -> !b
    %e = d2m.reserve %q2 : !d2m.cb<!b> -> !b
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %c : !b, !b) outs(%e : !b) {
    ^bb0(%u: !t, %v: !t, %out: !t):
      %0 = "d2m.tile_mul"(%u, %v) : (!t, !t) -> !t
      linalg.yield %0 : !t
    } -> !b
    d2m.yield %s : (!b)
  } : !x
  return %r : !x
}
