// The coordinates of nodes in a grid of rank 3, asked for in 1, 2 and 4 dimensions. Each node
// writes its page to the place that its coordinates give.

!tensor = tensor<384x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @nodes(%y: !tensor) attributes {grid = #ttcore.grid<2x2x3>} {
  %cb = ttl.create_cb "y_cb" : !cb
  ttl.compute_thread "compute" {
    %x, %z, %w, %v = ttl.core {dims = 4 : i64} : index, index, index, index
    %s:4 = ttl.grid_size {dims = 4 : i64} : index, index, index, index
    %n = ttl.core_linear : index
    %a = arith.muli %x, %s#1 : index
    %b = arith.addi %a, %z : index
    %c = arith.muli %b, %s#2 : index
    %d = arith.addi %c, %w : index
    %e = arith.addi %d, %v : index
    %f = arith.muli %e, %s#3 : index
    %g = arith.addi %f, %n : index
    %h = arith.index_cast %g : index to i32
    %i = arith.sitofp %h : i32 to f32
    %blk = ttl.cb_reserve %cb : !block
    %value = ttl.block_fill %i : !value
    ttl.block_store %blk, %value : !block, !value
    ttl.cb_push %blk : !block
    %last = ttl.cb_reserve %cb : !block
    %p, %q = ttl.core : index, index
    %r = arith.muli %p, %s#2 : index
    %t = arith.addi %r, %q : index
    %u = arith.index_cast %t : index to i32
    %k = arith.sitofp %u : i32 to f32
    %more = ttl.block_fill %k : !value
    ttl.block_store %last, %more : !block, !value
    ttl.cb_push %last : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = ttl.core {dims = 1 : i64} : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %cb : !block
    %part = ttl.index_accessor %acc[%n, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
    %two = ttl.cb_wait %cb : !block
    %there = ttl.index_accessor %acc[%n, %c1] : !ttl.accessor<!tensor> -> !slice
    %xf2 = ttl.copy %two, %there : !block, !slice
    ttl.wait %xf2
    ttl.cb_pop %two : !block
  }
}

func.func @main() {
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @nodes(%y) : !tensor
  return
}
