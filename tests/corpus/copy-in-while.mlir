// Copies in the condition of a while loop: if there are several, only the barrier after the
// loop completes the last one.

!tensor = tensor<128x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @search(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %cb : !block
      // Reads the rows 0 to i of the tensor, one over the other.
      %last = scf.while (%j = %c0) : (index) -> index {
        %part = ttl.index_accessor %acc[%j, %c0] : !ttl.accessor<!tensor> -> !slice
        %xf = ttl.copy %part, %blk : !slice, !block
        %first = arith.cmpi eq, %j, %c0 : index
        scf.if %first {
          ttl.wait %xf
        }
        %more = arith.cmpi slt, %j, %i : index
        scf.condition(%more) %j : index
      } do {
      ^bb0(%j: index):
        ttl.dma_barrier
        %next = arith.addi %j, %c1 : index
        scf.yield %next : index
      }
      ttl.dma_barrier
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_wait %cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @search(%a, %y) : !tensor, !tensor
  return
}
