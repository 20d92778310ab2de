// A reserved block that is read after stores in other iterations and branches.

!tensor = tensor<128x32xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @stored_contents(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %y_blk = ttl.cb_reserve %y_cb : !block
    scf.for %i = %c0 to %c4 step %c1 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        ttl.block_store %y_blk, %a_blk : !block, !block
      } else {
        %sum = ttl.block_add %y_blk, %a_blk : (!block, !block) -> !e
        ttl.block_store %y_blk, %sum : !block, !e
        %last = arith.cmpi eq, %i, %c3 : index
        scf.if %last {
          %square = ttl.block_mul %y_blk, %y_blk : (!block, !block) -> !e
          ttl.block_store %y_blk, %square : !block, !e
        }
      }
      ttl.cb_pop %a_blk : !block
    }
    ttl.cb_push %y_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %y_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @stored_contents(%a, %y) : !tensor, !tensor
  return
}
