// Arithmetic of the program's integers and floats, and its checks, choose the value that is stored.

!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @integers(%y: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %cb = ttl.create_cb "y_cb" : !cb
  ttl.compute_thread "compute" {
    %x, %row = ttl.core : index, index
    %n = arith.index_cast %x : index to i32
    %c7 = arith.constant 7 : i32
    %c3 = arith.constant 3 : i32
    %cm = arith.constant -5 : i32
    %a = ttl.int_add %n, %c7
    %b = ttl.int_mul %a, %cm
    %c = ttl.int_sub %b, %n
    %d = ttl.int_floordiv %c, %c3
    %e = ttl.int_mod %c, %c7
    %f = ttl.int_neg %d
    %g = ttl.int_abs %c
    %h = ttl.int_pow %a, %c3
    %i = ttl.int_add %e, %f
    %j = ttl.int_add %g, %h
    %k = ttl.int_sub %i, %j
    %big = arith.cmpi slt, %k, %c3 : i32
    ttl.assert %big, "integers are Python's"
    ttl.check_index %x {bound = 2 : i64, dim = 0 : i64, size = 1 : i64, tensor = "y"}
    %v = arith.sitofp %k : i32 to f32
    %w = arith.constant 0.125 : f32
    %z = arith.mulf %v, %w : f32
    %o = arith.select %big, %z, %w : f32
    %blk = ttl.cb_reserve %cb : !block
    %value = ttl.block_fill %o : !value
    ttl.block_store %blk, %value : !block, !value
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %x, %row = ttl.core : index, index
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %cb : !block
    %part = ttl.index_accessor %acc[%x, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @integers(%y) : !tensor
  return
}
