// Copies of parts of a block: single tiles into it, columns out of it.

!tensor = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!tile = !ttl.tensor_slice<[1, 1], !tensor>
!column = !ttl.tensor_slice<[2, 1], !tensor>

ttl.kernel @copy_parts(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %cb : !block
    scf.for %i = %c0 to %c2 step %c1 {
      %row = arith.muli %i, %c3 : index
      scf.for %j = %c0 to %c3 step %c1 {
        %part = ttl.index_accessor %acc[%i, %j] : !ttl.accessor<!tensor> -> !tile
        %number = arith.addi %row, %j : index
        %xf = ttl.copy %part, %blk part %number : !tile, !block
        ttl.wait %xf
      }
    }
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %cb : !block
    %s0 = ttl.index_accessor %acc[%c0, %c2] : !ttl.accessor<!tensor> -> !column
    %xf0 = ttl.copy %blk, %s0 part %c0 : !block, !column
    %s1 = ttl.index_accessor %acc[%c0, %c1] : !ttl.accessor<!tensor> -> !column
    %xf1 = ttl.copy %blk, %s1 part %c1 : !block, !column
    %s2 = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !column
    %xf2 = ttl.copy %blk, %s2 part %c2 : !block, !column
    ttl.wait %xf0
    ttl.wait %xf1
    ttl.wait %xf2
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @copy_parts(%a, %y) : !tensor, !tensor
  return
}
