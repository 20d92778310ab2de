// Two phases. After each one all threads wait for each other and reset both buffers, which drops
// a block that no thread has popped.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @resets(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %copy = %c0 to %c2 step %c1 {
        %blk = ttl.cb_reserve %a_cb : !block
        %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
        %xf = ttl.copy %part, %blk : !slice, !block
        ttl.wait %xf
        ttl.cb_push %blk : !block
      }
      ttl.cb_reset 0 "ttl.reset_dfbs" %a_cb, %y_cb : !cb, !cb
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %blk = ttl.cb_wait %a_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %sum = ttl.block_add %blk, %blk : (!block, !block) -> !value
      ttl.block_store %y_blk, %sum : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %blk : !block
      ttl.cb_reset 0 "ttl.reset_dfbs" %a_cb, %y_cb : !cb, !cb
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c2 step %c1 {
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
      ttl.cb_reset 0 "ttl.reset_dfbs" %a_cb, %y_cb : !cb, !cb
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @resets(%a, %y) : !tensor, !tensor
  return
}
