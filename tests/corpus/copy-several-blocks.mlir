// A thread holds several blocks of one buffer, and waits for their copies late and in another order.

!tensor = tensor<128x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @several(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c4 step %c2 {
      %j = arith.addi %i, %c1 : index
      %first = ttl.cb_reserve %cb : !block
      %second = ttl.cb_reserve %cb : !block
      %p = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %q = ttl.index_accessor %acc[%j, %c0] : !ttl.accessor<!tensor> -> !slice
      %x = ttl.copy %p, %first : !slice, !block
      %z = ttl.copy %q, %second : !slice, !block
      ttl.wait %z
      ttl.wait %x
      ttl.cb_push %first : !block
      ttl.cb_push %second : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c4 step %c2 {
      %j = arith.addi %i, %c1 : index
      %first = ttl.cb_wait %cb : !block
      %second = ttl.cb_wait %cb : !block
      // Exchanges the two places, so that a mix-up of the copies changes the result.
      %p = ttl.index_accessor %acc[%j, %c0] : !ttl.accessor<!tensor> -> !slice
      %q = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %x = ttl.copy %first, %p : !block, !slice
      %z = ttl.copy %second, %q : !block, !slice
      ttl.wait %x
      ttl.wait %z
      ttl.cb_pop %first : !block
      ttl.cb_pop %second : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @several(%a, %y) : !tensor, !tensor
  return
}
